-- Whether what a key's client says about its customers is believed.

alter table access_key add column trusted boolean not null default true;

-- Who may call, and what operators did. Times are milliseconds since 1970.

create table access_key (
  id text primary key,
  client text not null check (length(client) between 1 and 64),
  roles text not null check (length(roles) > 0),
  hash text not null unique check (length(hash) = 64),
  hint text not null,
  created_at bigint not null,
  created_by text not null,
  revoked_at bigint
);

create index access_key_made on access_key (created_at, id);

create table access_secret (
  name text primary key,
  value text not null
);

create table access_audit_head (
  id bigint primary key check (id = 1),
  seq bigint not null,
  hash text not null
);
insert into access_audit_head (id, seq, hash) values (1, 0, '');

create table access_audit (
  seq bigint primary key check (seq > 0),
  at bigint not null,
  actor text not null,
  key_id text not null,
  roles text not null,
  address text not null,
  action text not null,
  subject text not null,
  result text not null check (result in ('done', 'denied')),
  before_text text,
  after_text text,
  reason text,
  trace_id text not null,
  prev_hash text not null,
  entry_hash text not null unique
);

-- What was done stays done: nobody edits this table, not even the program.
${on_sqlite}create trigger access_audit_no_update before update on access_audit begin select raise(abort, 'the audit log is append-only'); end;
${on_sqlite}create trigger access_audit_no_delete before delete on access_audit begin select raise(abort, 'the audit log is append-only'); end;
${on_postgres}create function access_audit_refuse() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$;
${on_postgres}create trigger access_audit_no_change before update or delete on access_audit for each row execute function access_audit_refuse();
${on_postgres}create trigger access_audit_no_truncate before truncate on access_audit for each statement execute function access_audit_refuse();

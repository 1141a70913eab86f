-- Times are milliseconds since 1970. Ids compare by bytes: collate "C".

create table tuntas_node (
  id int generated always as identity primary key,
  name text not null,
  beat bigint not null default 0,
  dead boolean not null default false
) with (fillfactor = 50);

create table tuntas_definition (
  id int generated always as identity primary key,
  name text not null,
  version int not null,
  shape_hash text not null,
  unique (name, version)
);

create table tuntas_lane (
  id int generated always as identity (start with 1) primary key,
  name text not null unique
);
insert into tuntas_lane (id, name) overriding system value values (0, '');

-- Between sleep, claim and end only columns without an index change, so those updates are HOT as
-- long as a page has room for a second version of each of its rows: hence the fillfactor.
create table tuntas_saga (
  no bigint generated always as identity (cache 50),
  version bigint not null check (version > 0),
  deadline bigint not null,
  created_at bigint not null,
  moved_at bigint not null,
  due_at bigint,
  ended_at bigint,
  kind int not null,
  owner int,
  lane int not null,
  crashes int not null default 0,
  status text not null check (status in ('R', 'W', 'H', 'D', 'U')),
  id text collate "C" primary key,
  progress text not null,
  data text not null,
  check ((status = 'R') = (owner is not null)),
  check ((status = 'W') = (due_at is not null)),
  check ((status in ('D', 'U')) = (ended_at is not null))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

create index tuntas_saga_due on tuntas_saga (lane, due_at, kind) where due_at is not null;
create index tuntas_saga_owned on tuntas_saga (owner) where owner is not null;
create index tuntas_saga_held on tuntas_saga (kind) where status = 'H';
create index tuntas_saga_ended on tuntas_saga (ended_at) where ended_at is not null;

create table tuntas_history (
  saga_no bigint not null,
  version bigint not null,
  at bigint not null,
  node int not null,
  what text not null,
  primary key (saga_no, version)
);

create table tuntas_outbox (
  pos bigint generated always as identity primary key,
  version bigint not null,
  at bigint not null,
  retry_at bigint,
  seq int not null,
  attempts int not null default 0,
  dead boolean not null default false,
  saga_id text collate "C" not null,
  type text not null,
  body text not null,
  error text
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index tuntas_outbox_failed on tuntas_outbox (saga_id) where retry_at is not null;

-- No foreign key to the saga: callbacks come early.
create table tuntas_signal (
  pos bigint generated always as identity primary key,
  at bigint not null,
  applied_at bigint,
  saga_id text collate "C" not null,
  source text collate "C" not null,
  external_id text collate "C" not null,
  name text not null,
  body text not null,
  verdict text,
  unique (source, external_id)
);

create index tuntas_signal_pending on tuntas_signal (saga_id) where applied_at is null;
create index tuntas_signal_saga on tuntas_signal (saga_id);
create index tuntas_signal_at on tuntas_signal (at);

create table tuntas_consumer_inbox (
  consumer text collate "C" not null,
  event_id text collate "C" not null,
  at bigint not null,
  primary key (consumer, event_id)
);

create index tuntas_consumer_inbox_at on tuntas_consumer_inbox (at);

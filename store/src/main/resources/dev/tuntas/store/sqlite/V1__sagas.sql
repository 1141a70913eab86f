-- Times are milliseconds since 1970.

create table tuntas_node (
  id integer primary key autoincrement,
  name text not null,
  beat integer not null default 0,
  dead integer not null default false
) strict;

create table tuntas_definition (
  id integer primary key autoincrement,
  name text not null,
  version integer not null,
  shape_hash text not null,
  unique (name, version)
) strict;

create table tuntas_lane (
  id integer primary key autoincrement,
  name text not null unique
) strict;
insert into tuntas_lane (id, name) values (0, '');

-- Rows lie in the order of their arrival, so that those in motion share pages.
create table tuntas_saga (
  no integer primary key,
  id text not null unique,
  kind integer not null,
  version integer not null check (version > 0),
  status text not null check (status in ('R', 'W', 'H', 'D', 'U')),
  owner integer,
  lane integer not null,
  due_at integer,
  deadline integer not null,
  crashes integer not null default 0,
  created_at integer not null,
  moved_at integer not null,
  ended_at integer,
  progress text not null,
  data text not null,
  check ((status = 'R') = (owner is not null)),
  check ((status = 'W') = (due_at is not null)),
  check ((status in ('D', 'U')) = (ended_at is not null))
) strict;

create index tuntas_saga_due on tuntas_saga (lane, due_at, kind) where due_at is not null;
create index tuntas_saga_owned on tuntas_saga (owner) where owner is not null;
create index tuntas_saga_held on tuntas_saga (kind) where status = 'H';
create index tuntas_saga_ended on tuntas_saga (ended_at) where ended_at is not null;

create table tuntas_history (
  saga_no integer not null,
  version integer not null,
  at integer not null,
  node integer not null,
  what text not null,
  primary key (saga_no, version)
) strict, without rowid;

create table tuntas_outbox (
  pos integer primary key autoincrement,
  saga_id text not null,
  version integer not null,
  seq integer not null,
  type text not null,
  body text not null,
  at integer not null,
  attempts integer not null default 0,
  retry_at integer,
  dead integer not null default false,
  error text
) strict;

create index tuntas_outbox_failed on tuntas_outbox (saga_id) where retry_at is not null;

-- No foreign key to the saga: callbacks come early.
create table tuntas_signal (
  pos integer primary key autoincrement,
  saga_id text not null,
  source text not null,
  external_id text not null,
  name text not null,
  body text not null,
  at integer not null,
  applied_at integer,
  verdict text,
  unique (source, external_id)
) strict;

create index tuntas_signal_pending on tuntas_signal (saga_id) where applied_at is null;
create index tuntas_signal_saga on tuntas_signal (saga_id);
create index tuntas_signal_at on tuntas_signal (at);

create table tuntas_consumer_inbox (
  consumer text not null,
  event_id text not null,
  at integer not null,
  primary key (consumer, event_id)
) strict, without rowid;

create index tuntas_consumer_inbox_at on tuntas_consumer_inbox (at);

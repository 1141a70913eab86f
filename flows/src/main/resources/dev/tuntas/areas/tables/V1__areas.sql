-- Times are milliseconds since 1970.

create table areas_area (
  id text primary key,
  name text not null,
  -- GeoJSON
  geofence text,
  geohash text not null,
  services text not null,
  priority bigint not null,
  enabled bigint not null check (enabled in (0, 1))
);

create table areas_rules (
  area text not null,
  service text not null,
  rules text not null,
  primary key (area, service)
);

create table areas_override (
  area text not null,
  service text not null,
  status text not null check (status in ('FORCE_BUSY', 'FORCE_AVAILABLE')),
  reason text not null,
  expires_at bigint,
  primary key (area, service)
);

create table areas_flag (
  name text primary key,
  value text not null
);

-- Counts up with every change of the tables above, so that other processes see that there was one.
create table areas_version (
  id bigint primary key check (id = 1),
  version bigint not null
);
insert into areas_version (id, version) values (1, 1);

-- `threshold` is what it was when a slot was last taken, `reached_at` the last moment at it.
create table areas_load (
  area text not null,
  service text not null,
  waiting bigint not null default 0 check (waiting >= 0),
  threshold bigint not null default 0,
  reached_at bigint,
  primary key (area, service)
);

-- One for each order. It stays for a while after it was given back, so that it is never taken again.
create table areas_slot (
  order_id text primary key,
  area text not null,
  service text not null,
  taken_at bigint not null,
  expires_at bigint not null,
  bypassed bigint not null check (bypassed in (0, 1)),
  ended_at bigint,
  outcome text,
  check ((ended_at is null) = (outcome is null))
);
create index areas_slot_waiting on areas_slot (area, service, taken_at) where ended_at is null;
create index areas_slot_taken on areas_slot (taken_at);
create index areas_slot_ended on areas_slot (ended_at) where ended_at is not null;

-- The load of every minute.
create table areas_history (
  area text not null,
  service text not null,
  at bigint not null,
  waiting bigint not null,
  threshold bigint not null,
  taken bigint not null,
  bypassed bigint not null,
  assigned bigint not null,
  cancelled_user bigint not null,
  cancelled_timeout bigint not null,
  ended_otherwise bigint not null,
  refused bigint not null,
  primary key (area, service, at)
);
create index areas_history_at on areas_history (at);

-- Orders that would have been refused.
create table areas_shadow (
  order_id text primary key,
  area text not null,
  service text not null,
  at bigint not null,
  waiting bigint not null,
  threshold bigint not null,
  code text not null
);
create index areas_shadow_at on areas_shadow (at);

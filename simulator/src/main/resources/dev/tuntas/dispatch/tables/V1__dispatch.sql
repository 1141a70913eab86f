-- Times are milliseconds since 1970.

-- What became of each booking. Without an order it is a tombstone: it was cancelled before it came.
-- A booking whose time has a meaning has `due_at`: then the next thing happens to it.
create table booking (
  booking_id text primary key,
  order_id text,
  state text not null check (state in ('BOOKED', 'WAITING', 'SEARCHING', 'DRIVER_ASSIGNED',
    'PICKED_UP', 'COMPLETED', 'CANCELLED')),
  job_id text,
  attempt bigint not null,
  driver_id text,
  since bigint not null,
  due_at bigint,
  version bigint not null,
  check (order_id is not null or state = 'CANCELLED'),
  check (state not in ('COMPLETED', 'CANCELLED', 'WAITING') or due_at is null)
);

-- Callbacks that are still to be made; one that is told twice has two copies.
create table callback (
  delivery_id text not null,
  copy bigint not null,
  at bigint not null,
  event text not null,
  primary key (delivery_id, copy)
);

-- Every effect carried out, once per key. A partner has no amounts.
create table ledger (
  no ${serial},
  at bigint not null,
  operation text not null check (operation in ('book', 'dispatch', 'cancel')),
  key text not null,
  order_id text not null,
  amount bigint not null,
  currency text,
  result text not null,
  goods text,
  unique (operation, key)
);

-- Times are milliseconds since 1970. A booking is an order, of items as of rooms.

create table catalogue (
  kind text not null check (kind in ('item', 'room')),
  id text not null,
  stock bigint not null check (stock >= 0),
  price bigint not null check (price >= 0),
  currency text not null check (length(currency) = 3),
  primary key (kind, id)
);

-- An item has one shelf, whose night is ''; a room has one for every night, made when first touched.
create table shelf (
  id text not null,
  night text not null check (length(night) in (0, 10)),
  stock bigint not null,
  available bigint not null check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  committed bigint not null default 0 check (committed >= 0),
  primary key (id, night),
  check (available + held + committed = stock)
);

-- One row for every order that ever asked: what changes an order's goods locks it first. A released
-- one is a tombstone.
create table bookings (
  booking_id text primary key,
  created_at bigint not null,
  released_at bigint
);

-- Without expires_at a hold is kept until it is confirmed or released.
create table reservation_holds (
  booking_id text not null references bookings (booking_id),
  id text not null,
  night text not null,
  quantity bigint not null check (quantity > 0),
  expires_at bigint,
  created_at bigint not null,
  primary key (booking_id, id, night)
);

create index reservation_holds_expiry on reservation_holds (expires_at)
  where expires_at is not null;

-- What confirmed and committed orders have, so that it can be given back once.
create table taken (
  booking_id text not null references bookings (booking_id),
  id text not null,
  night text not null,
  quantity bigint not null check (quantity > 0),
  primary key (booking_id, id, night)
);

create table reserve_idempotency (
  operation text not null,
  key text not null,
  fingerprint text not null,
  response text not null,
  refusal text,
  created_at bigint not null,
  primary key (operation, key)
);

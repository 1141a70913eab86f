-- Times are milliseconds since 1970.

-- Every callback that was rightly signed, by the partner's name for it. What it says to an order is in
-- that order's inbox.
create table callbacks_delivery (
  partner text not null,
  id text not null,
  fingerprint text not null,
  event text not null,
  order_id text,
  at bigint not null,
  primary key (partner, id)
);
create index callbacks_delivery_at on callbacks_delivery (at);

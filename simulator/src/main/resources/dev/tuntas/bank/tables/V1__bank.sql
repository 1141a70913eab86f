-- Times are milliseconds since 1970; amounts are minor units.

-- What is kept of an order. Closed means refunded as a whole: nothing is charged any more.
create table account (
  order_id text primary key,
  captured bigint not null default 0,
  refunded bigint not null default 0,
  closed boolean not null default false,
  check (refunded >= 0 and refunded <= captured)
);

-- Every effect carried out, once per key. Unlike the payment service, the bank would charge an order
-- twice if it were asked to, under two keys: so that it shows when that is done.
create table ledger (
  no ${serial},
  at bigint not null,
  operation text not null check (operation in ('charge', 'refund')),
  key text not null,
  order_id text not null,
  amount bigint not null,
  currency text not null,
  result text not null,
  goods text,
  unique (operation, key)
);

-- How often a key was turned away by a method that is unavailable for a while.
create table refusal (
  key text primary key,
  times bigint not null
);

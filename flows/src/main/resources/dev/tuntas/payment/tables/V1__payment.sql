-- Times are milliseconds since 1970; amounts are minor units.

-- The money of one order. Whatever is decided about it is decided under the lock of this row.
-- pending is what refunds under way may yet give back; closed means refunded as a whole, for good.
create table purse (
  order_id text primary key,
  currency text not null,
  price bigint not null check (price >= 0),
  captured bigint not null default 0,
  pending bigint not null default 0 check (pending >= 0),
  refunded bigint not null default 0 check (refunded >= 0),
  closed boolean not null default false,
  check (captured = 0 or captured = price),
  check (refunded + pending <= captured)
);

-- What was asked of the bank, once per key, before it was asked; and the answer, once it is known.
create table idempotency_store (
  operation text not null check (operation in ('charge', 'refund')),
  key text not null,
  fingerprint text not null,
  order_id text not null references purse (order_id),
  transaction_id text not null unique,
  method text,
  whole boolean not null default false,
  amount bigint not null check (amount >= 0),
  currency text not null,
  status text not null check (status in ('sent', 'done', 'declined')),
  code text,
  detail text,
  attempts bigint not null default 1,
  created_at bigint not null,
  answered_at bigint,
  primary key (operation, key),
  check ((status = 'sent') = (answered_at is null)),
  check ((status = 'declined') = (code is not null))
);

-- An order has at most one charge that is not known to have failed.
create unique index idempotency_store_one_charge on idempotency_store (order_id)
  where operation = 'charge' and status <> 'declined';
create index idempotency_store_order on idempotency_store (order_id);

-- Double entry: every movement is two lines, and its debit equals its credit.
create table journal (
  no ${serial},
  at bigint not null,
  order_id text not null references purse (order_id),
  operation text not null,
  key text not null,
  account text not null check (account in ('bank', 'customer')),
  debit bigint not null check (debit >= 0),
  credit bigint not null check (credit >= 0),
  currency text not null,
  unique (operation, key, account),
  check ((debit = 0) <> (credit = 0))
);
create index journal_order on journal (order_id);

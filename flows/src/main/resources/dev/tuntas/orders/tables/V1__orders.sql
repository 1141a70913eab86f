-- Times are milliseconds since 1970. The rest of an order is its saga.

create table orders_key (
  client text not null,
  idempotency_key text not null,
  order_id text not null unique,
  fingerprint text not null,
  at bigint not null,
  -- The status of the final answer, once one was given.
  answer bigint check (answer in (201, 402, 409)),
  primary key (client, idempotency_key)
);
create index orders_key_at on orders_key (at);

create table orders_order (
  id text primary key,
  kind text not null,
  client text not null,
  customer_id text not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  created_at bigint not null,
  -- What was heard of it last.
  version bigint not null,
  status text,
  reason_code text,
  reason_message text,
  needs_attention bigint not null default 0 check (needs_attention in (0, 1)),
  recovery_confirmed bigint not null default 0 check (recovery_confirmed in (0, 1)),
  ended_at bigint,
  check ((status is null) = (ended_at is null)),
  check (status in (
    'CONFIRMED', 'FAILED', 'COMPLETED', 'CANCELLED_BY_USER', 'CANCELLED_BY_DRIVER',
    'CANCELLED_BY_SYSTEM', 'CANCELLED_BY_SYSTEM_AFTER_PAYMENT', 'REFUNDED'))
);
create index orders_order_client on orders_order (client, id);
create index orders_order_customer on orders_order (customer_id, id);
create index orders_order_open on orders_order (id) where ended_at is null;
create index orders_order_attention on orders_order (id) where needs_attention = 1;
create index orders_order_ended on orders_order (ended_at) where ended_at is not null;
create index orders_order_status on orders_order (status, id) where status is not null;

-- How to reach the customer: apart, so that it can be erased.
create table orders_contact (
  order_id text primary key,
  email text,
  phone text,
  locale text
);

-- Until 16 November 2026 an order ended CONFIRMED or FAILED, and no other way.
${on_postgres}alter table orders_order drop constraint orders_order_status_check;
${on_postgres}alter table orders_order add check (status in (
${on_postgres}  'CONFIRMED', 'FAILED', 'COMPLETED', 'CANCELLED_BY_USER', 'CANCELLED_BY_DRIVER',
${on_postgres}  'CANCELLED_BY_SYSTEM', 'CANCELLED_BY_SYSTEM_AFTER_PAYMENT', 'REFUNDED'));
${on_sqlite}create table orders_order_new (
${on_sqlite}  id text primary key,
${on_sqlite}  kind text not null,
${on_sqlite}  client text not null,
${on_sqlite}  customer_id text not null,
${on_sqlite}  amount bigint not null check (amount >= 0),
${on_sqlite}  currency text not null,
${on_sqlite}  created_at bigint not null,
${on_sqlite}  version bigint not null,
${on_sqlite}  status text,
${on_sqlite}  reason_code text,
${on_sqlite}  reason_message text,
${on_sqlite}  needs_attention bigint not null default 0 check (needs_attention in (0, 1)),
${on_sqlite}  recovery_confirmed bigint not null default 0 check (recovery_confirmed in (0, 1)),
${on_sqlite}  ended_at bigint,
${on_sqlite}  check ((status is null) = (ended_at is null)),
${on_sqlite}  check (status in (
${on_sqlite}    'CONFIRMED', 'FAILED', 'COMPLETED', 'CANCELLED_BY_USER', 'CANCELLED_BY_DRIVER',
${on_sqlite}    'CANCELLED_BY_SYSTEM', 'CANCELLED_BY_SYSTEM_AFTER_PAYMENT', 'REFUNDED'))
${on_sqlite});
${on_sqlite}insert into orders_order_new select * from orders_order;
${on_sqlite}drop table orders_order;
${on_sqlite}alter table orders_order_new rename to orders_order;
${on_sqlite}create index orders_order_client on orders_order (client, id);
${on_sqlite}create index orders_order_customer on orders_order (customer_id, id);
${on_sqlite}create index orders_order_open on orders_order (id) where ended_at is null;
${on_sqlite}create index orders_order_attention on orders_order (id) where needs_attention = 1;
${on_sqlite}create index orders_order_ended on orders_order (ended_at) where ended_at is not null;
${on_sqlite}create index orders_order_status on orders_order (status, id) where status is not null;

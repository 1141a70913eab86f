-- Times are milliseconds since 1970.

create table cart (
  cart_id text primary key,
  changed_at bigint not null
);

create table cart_line (
  cart_id text not null references cart (cart_id),
  position bigint not null,
  sku text not null,
  quantity bigint not null check (quantity > 0),
  primary key (cart_id, position)
);

-- A cart is emptied once per key: what its owner has put into it since stays there.
create table clearing (
  key text primary key,
  cart_id text not null,
  cleared_at bigint not null
);

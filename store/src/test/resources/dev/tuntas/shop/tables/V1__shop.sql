create table shop_item (
  no ${serial},
  name text not null unique,
  stock bigint not null check (stock >= 0),
  sold_at bigint
);

-- Times are milliseconds since 1970; amounts are minor units.

-- Every effect carried out, once per key. Without a currency there is no amount.

create table ledger (
  no ${serial},
  at bigint not null,
  operation text not null check (operation in ('reserve', 'keep', 'confirm', 'commit', 'release')),
  key text not null,
  order_id text not null,
  amount bigint not null,
  currency text,
  result text not null,
  goods text,
  unique (operation, key)
);

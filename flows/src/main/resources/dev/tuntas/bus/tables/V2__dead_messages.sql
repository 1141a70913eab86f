-- What handlers of messages gave up on, taken from the broker: a person decides.
create table bus_dead_message (
  pos ${serial},
  -- Whose handler gave it up.
  queue text not null,
  id text not null,
  kind text not null,
  key text not null,
  body text not null,
  trace text,
  is_command bigint not null check (is_command in (0, 1)),
  reason text not null,
  attempts bigint not null,
  at bigint not null,
  unique (queue, id)
);

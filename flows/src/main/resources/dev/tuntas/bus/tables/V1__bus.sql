-- Times are milliseconds since 1970.

-- What is to go out over the bus, and what went. Whoever sets sent_at may be sending it: from then on
-- nobody can say that it never went out.
create table bus_message (
  pos ${serial},
  id text not null unique,
  kind text not null,
  key text not null,
  -- A CloudEvent.
  body text not null,
  trace text,
  is_command bigint not null check (is_command in (0, 1)),
  status text not null check (status in ('PENDING', 'PUBLISHED', 'FAILED')),
  created_at bigint not null,
  expires_at bigint,
  -- What goes out instead if this does not go out in time.
  compensation_kind text,
  compensation_body text,
  sent_at bigint,
  attempts bigint not null default 0,
  retry_at bigint,
  error text,
  -- Given up on, and waiting for a person.
  dead bigint not null default 0 check (dead in (0, 1)),
  ended_at bigint,
  check ((status = 'PENDING') = (ended_at is null)),
  check (expires_at is not null or compensation_kind is null),
  check ((compensation_kind is null) = (compensation_body is null)),
  check (dead = 0 or status = 'FAILED')
);
create index bus_message_pending on bus_message (pos) where status = 'PENDING';
create index bus_message_held on bus_message (key, pos) where status = 'PENDING' and retry_at is not null;
create index bus_message_expiry on bus_message (expires_at)
  where status = 'PENDING' and expires_at is not null and sent_at is null;
create index bus_message_ended on bus_message (ended_at) where ended_at is not null;
create index bus_message_dead on bus_message (pos) where dead = 1;

-- Who publishes, until when.
create table bus_turn (
  name text primary key,
  holder text not null,
  until bigint not null
);

-- What each queue has taken.
create table bus_seen (
  queue text not null,
  message_id text not null,
  at bigint not null,
  primary key (queue, message_id)
);
create index bus_seen_at on bus_seen (at);

-- What services answered to commands, by the keys of their effects.
create table bus_reply (
  key text primary key,
  kind text not null,
  body text not null,
  at bigint not null
);
create index bus_reply_at on bus_reply (at);

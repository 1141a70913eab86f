-- Times are milliseconds since 1970. Money is in minor units.

-- `subject` is the saga that a decision is about: the order itself, or a refund of it.
create table support_ticket (
  no ${serial},
  id text not null unique,
  type text not null check (type in (
    'MANUAL_REFUND_REQUIRED', 'UNEXPECTED_STATE', 'STATUS_UPDATE_FAILED', 'FAILED_TO_GET_ORDER',
    'MANUAL_RECONCILIATION_REQUIRED', 'COMPENSATION_FAILED')),
  status text not null check (status in ('open', 'in_progress', 'resolved')),
  order_id text not null,
  subject text not null,
  order_kind text not null,
  order_status text not null,
  seen_version bigint not null,
  amount bigint check (amount >= 0),
  currency text,
  reason text not null,
  opened_at bigint not null,
  due_at bigint not null,
  overdue_at bigint,
  verified_at bigint,
  resolved_at bigint,
  resolution text check (resolution in (
    'happened', 'did_not_happen', 'refunded', 'no_action', 'settled')),
  -- A finding that cannot be told to its saga yet: from when on, and who found it.
  tell_at bigint,
  found_by text,
  -- When it was seen that the saga took the finding to heart.
  heeded_at bigint,
  version bigint not null check (version > 0),
  check ((status = 'resolved') = (resolved_at is not null)),
  check ((resolved_at is null) = (resolution is null)),
  check ((tell_at is null) = (found_by is null)),
  check ((amount is null) = (currency is null))
);

create unique index support_ticket_one_open on support_ticket (order_id, type, subject)
  where status <> 'resolved';
create index support_ticket_due on support_ticket (due_at)
  where status <> 'resolved' and overdue_at is null;
create index support_ticket_found on support_ticket (resolved_at)
  where resolution in ('happened', 'did_not_happen') and heeded_at is null;
create index support_ticket_tell on support_ticket (tell_at) where tell_at is not null;

-- What has already become a ticket, or was added to one.
create table support_cause (
  order_id text not null,
  type text not null,
  cause text not null,
  at bigint not null,
  primary key (order_id, type, cause)
);

create table support_note (
  no ${serial},
  ticket_no bigint not null references support_ticket (no),
  at bigint not null,
  author text not null,
  text text not null
);

create index support_note_ticket on support_note (ticket_no);

-- What was paid for an order, and how much of it refunds by people have claimed.
create table support_budget (
  order_id text not null primary key,
  currency text not null,
  captured bigint not null,
  claimed bigint not null,
  check (0 <= claimed and claimed <= captured)
);

-- `id` is the key of the effect, and the id of the saga that brings it about.
create table support_refund (
  no ${serial},
  id text not null unique,
  order_id text not null,
  ticket_no bigint not null references support_ticket (no),
  amount bigint not null check (amount > 0),
  currency text not null,
  whole boolean not null,
  status text not null check (status in ('requested', 'started', 'held', 'done', 'refused')),
  actor text not null,
  click text not null,
  fingerprint text not null,
  requested_at bigint not null,
  settled_at bigint,
  returned bigint check (returned >= 0 and returned <= amount),
  error text,
  unique (actor, click),
  check ((status in ('done', 'refused')) = (settled_at is not null)),
  check ((status = 'done') = (returned is not null))
);

create index support_refund_order on support_refund (order_id);
create index support_refund_new on support_refund (no) where status = 'requested';

-- One message to one recipient by one channel. No address is in it: that is looked up when it is
-- sent. `sent_as` tells which went out together.
create table support_delivery (
  no ${serial},
  cause text not null,
  channel text not null,
  recipient text not null,
  order_id text not null,
  kind text not null,
  body text not null,
  created_at bigint not null,
  attempts bigint not null default 0,
  next_attempt_at bigint,
  sent_at bigint,
  sent_as text,
  dead_at bigint,
  discarded_at bigint,
  error text,
  unique (cause, channel, recipient),
  check ((next_attempt_at is not null) <> (sent_at is not null or dead_at is not null)),
  check (sent_at is null or dead_at is null),
  check (discarded_at is null or dead_at is not null),
  check ((sent_at is null) = (sent_as is null))
);

create index support_delivery_due on support_delivery (channel, next_attempt_at)
  where next_attempt_at is not null;
create index support_delivery_sent on support_delivery (channel, sent_at)
  where sent_at is not null;
create index support_delivery_dead on support_delivery (no)
  where dead_at is not null and discarded_at is null;

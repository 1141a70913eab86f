-- By how many milliseconds the time of the living process is ahead of this machine's clock, while it
-- follows a clock that was set; and when that was told.
create table tuntas_clock (
  id integer primary key check (id = 1),
  ahead integer not null,
  at integer not null
) strict;

-- What the process counts up to see whether a new connection can write.
create table tuntas_probe (
  id integer primary key check (id = 1),
  count integer not null
) strict;
insert into tuntas_probe (id, count) values (1, 0);

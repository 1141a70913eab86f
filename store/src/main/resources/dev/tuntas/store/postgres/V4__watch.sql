-- By how many milliseconds the time of the living processes is ahead of this server's clock, while
-- they follow a clock that was set; and when that was told.
create table tuntas_clock (
  id int primary key check (id = 1),
  ahead bigint not null,
  at bigint not null
);

-- What a process counts up to see whether a new connection can write.
create table tuntas_probe (
  id int primary key check (id = 1),
  count bigint not null
);
insert into tuntas_probe (id, count) values (1, 0);

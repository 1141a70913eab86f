-- The last lines of a saga's history are in its own row, because a row for each is written beside
-- one that is written anyway. Before they get many they go to tuntas_history. A line is the JSON array
-- `[version, at, node, what],`, with `what` cut into several texts wherever the saga's id was in it.
alter table tuntas_saga add column lines text not null default '';

create view tuntas_lines as
  select s.id saga_id, s.no saga_no, l.value ->> 0 version, l.value ->> 1 at, l.value ->> 2 node,
         (select group_concat(p.value, s.id order by p.key)
            from json_each(l.value) p where p.key > 2) what
    from tuntas_saga s join json_each('[' || rtrim(s.lines, ',') || ']') l;

drop view tuntas_story;
create view tuntas_story as
  select s.id saga_id, s.no saga_no, h.version, h.at, h.node, h.what
    from tuntas_saga s join tuntas_history h on h.saga_no = s.no
  union all
  select saga_id, saga_no, version, at, node, what from tuntas_lines;

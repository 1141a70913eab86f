-- The history as it is read, whatever it is kept in.
create view tuntas_story as
  select s.id saga_id, s.no saga_no, h.version, h.at, h.node, h.what
    from tuntas_saga s join tuntas_history h on h.saga_no = s.no;

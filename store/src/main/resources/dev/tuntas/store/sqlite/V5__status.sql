-- For a list of more than two values SQLite builds a table of them, for each row that it checks: an
-- insert took half as long again. Nothing that is stored changes, only the text of the check, and
-- nobody else has the file open meanwhile.
pragma writable_schema = on;
update sqlite_schema
   set sql = replace(
         sql,
         'check (status in (''R'', ''W'', ''H'', ''D'', ''U''))',
         'check (status glob ''[RWHDU]'')')
 where type = 'table' and name = 'tuntas_saga';
pragma writable_schema = off;

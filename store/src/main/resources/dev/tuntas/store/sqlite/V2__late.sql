-- Those whose time is over are found whatever they wait for.
create index tuntas_saga_late on tuntas_saga (deadline) where due_at is not null;

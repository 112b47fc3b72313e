-- Ids of connections are unique within a gateway only: what is held is a connection of a gateway.
alter table session add column held_gateway text;
alter table session no force row level security;
update session set held_gateway = gateway where held_conn = conn;
alter table session force row level security;

-- Followers whose work is shared by the API processes: a cursor for each shard, and the process that works on it.
create table shard_lease (
  name text primary key,
  owner text,
  lease_until timestamptz not null default '-infinity'
);
grant select, insert, update, delete on shard_lease to fleetgate_ingest;

insert into feed_cursor (name, xid, seq)
  select c.name || '/' || n, c.xid, c.seq from feed_cursor c, generate_series(0, 3) n where c.name in ('rules', 'webhooks')
  on conflict do nothing;
grant delete on feed_cursor to fleetgate_ingest;

delete from feed_cursor where name in ('rules', 'webhooks');

-- What API processes have counted together of requests and log-ins, by a hash of the counter's name and key.
create unlogged table shared_budget (
  key bytea primary key,
  points int not null,
  ends_at timestamptz not null
) with (fillfactor = 70);
create index shared_budget_ended on shared_budget (ends_at);
grant select, insert, update, delete on shared_budget to fleetgate_ingest;

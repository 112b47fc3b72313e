-- Sessions that gateways are about to open, until their events arrive: of two gateways that a device id logs in to at
-- the same time, one is the first.
create unlogged table session_hold (
  device_id bigint primary key references device on delete cascade,
  gateway text not null,
  conn text not null,
  transport text not null,
  remote text not null,
  at timestamptz not null default now()
);
alter table session_hold enable row level security;
alter table session_hold force row level security;
create policy of_all on session_hold to fleetgate_ingest using (true) with check (true);
grant select, insert, update, delete on session_hold to fleetgate_ingest;

create function notify_session_taken() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger session_taken after update of gateway, conn on session for each row
  when (old.open and new.open and old.gateway <> new.gateway) execute function notify_session_taken();

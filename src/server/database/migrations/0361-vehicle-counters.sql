-- Odometer and engine hours of vehicles as the server counts them: now, at the beginning of each day, and as people have set them.
create table vehicle_counter (
  vehicle_id text collate "C" primary key references vehicle on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  odometer_m float8,
  engine_ms float8,
  -- what the next report is compared with
  state jsonb not null default '{}',
  -- reports from then on have to be counted again
  recount_from timestamptz,
  updated_at timestamptz not null default now()
);
create index vehicle_counter_again on vehicle_counter (recount_from) where recount_from is not null;

create table vehicle_counter_day (
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  day date not null,
  -- before the first report of the day (UTC)
  state jsonb not null,
  primary key (vehicle_id, day)
);

create table vehicle_counter_entry (
  id bigint generated always as identity primary key,
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  at timestamptz not null,
  odometer_m float8,
  engine_ms float8,
  -- what was counted until then
  odometer_before_m float8,
  engine_before_ms float8,
  note text,
  set_by text not null,
  created_at timestamptz not null default now()
);
create index vehicle_counter_entry_of on vehicle_counter_entry (vehicle_id, at);

-- A device that was put into a vehicle, or taken out, for a time that is over changes what has been counted.
create function recount_vehicle() returns trigger language plpgsql as $$
declare
  changed pairing := coalesce(new, old);
  since timestamptz := coalesce(new.valid_from, old.valid_from);
begin
  if changed.device_id is null then return null; end if;
  if tg_op = 'UPDATE' then since := least(coalesce(old.valid_to, 'infinity'), coalesce(new.valid_to, 'infinity')); end if;
  if since < now() and exists (select from vehicle v where v.id = changed.vehicle_id) then
    insert into vehicle_counter (vehicle_id, tenant_id, recount_from) values (changed.vehicle_id, changed.tenant_id, since)
    on conflict (vehicle_id) do update set recount_from = least(vehicle_counter.recount_from, excluded.recount_from);
  end if;
  return null;
end $$;
create trigger recount after insert or update of valid_from, valid_to or delete on pairing
  for each row execute function recount_vehicle();

do $$
declare
  name text;
begin
  foreach name in array array['vehicle_counter', 'vehicle_counter_day', 'vehicle_counter_entry'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format(
      'create policy of_tenant on %I to fleetgate_app
         using (tenant_id = (select nullif(current_setting(''fleetgate.tenant'', true), '''')::int))', name);
    execute format(
      'create policy of_vehicles on %I as restrictive to fleetgate_restricted
         using ((select not is_restricted()) or vehicle_id = any ((select own_vehicles())::text[]))', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest', name);
  end loop;
end $$;
grant select, insert, update on vehicle_counter to fleetgate_app;
grant select, insert on vehicle_counter_entry to fleetgate_app;

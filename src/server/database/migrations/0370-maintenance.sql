-- Maintenance plans: what is due by distance, engine hours or days, for vehicles, groups or all.
create table maintenance_plan (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  name text not null,
  -- ids
  vehicles text[] not null default '{}',
  groups text[] not null default '{}',
  all_vehicles boolean not null default false,
  every_km float8,
  every_engine_hours float8,
  every_days int,
  remind_km float8,
  remind_engine_hours float8,
  remind_days int,
  note text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, name)
);

-- Since when a plan applies to a vehicle, and what was counted then.
create table maintenance_start (
  plan_id text collate "C" not null references maintenance_plan on delete cascade,
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  tenant_id int not null references tenant on delete cascade,
  since timestamptz not null default now(),
  odometer_m float8,
  engine_ms float8,
  primary key (plan_id, vehicle_id)
);
create index maintenance_start_of_vehicle on maintenance_start (vehicle_id);

-- What was done. It outlives the plan, whose name is kept.
create table maintenance_done (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  plan_id text collate "C" references maintenance_plan on delete set null,
  plan_name text not null,
  vehicle_id text collate "C" not null references vehicle on delete cascade,
  at timestamptz not null,
  odometer_m float8,
  engine_ms float8,
  note text,
  cost numeric(14, 2),
  done_by text not null,
  created_at timestamptz not null default now()
);
create index maintenance_done_of_vehicle on maintenance_done (vehicle_id, at desc);
create index maintenance_done_of_plan on maintenance_done (plan_id, vehicle_id, at desc);

do $$
declare
  name text;
begin
  foreach name in array array['maintenance_plan', 'maintenance_start', 'maintenance_done'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format(
      'create policy of_tenant on %I to fleetgate_app
         using (tenant_id = (select nullif(current_setting(''fleetgate.tenant'', true), '''')::int))', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest, fleetgate_app', name);
  end loop;
  foreach name in array array['maintenance_start', 'maintenance_done'] loop
    execute format(
      'create policy of_vehicles on %I as restrictive to fleetgate_restricted
         using ((select not is_restricted()) or vehicle_id = any ((select own_vehicles())::text[]))', name);
  end loop;
end $$;
-- A user of some vehicles sees the plans that apply to one of them, and changes none.
create policy of_vehicles on maintenance_plan as restrictive to fleetgate_restricted
  using ((select not is_restricted()) or exists (
    select from vehicle v where all_vehicles or v.id = any (vehicles) or v.group_id = any (groups)))
  with check ((select not is_restricted()));

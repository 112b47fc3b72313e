-- What a tenant did on a day (UTC). The two counts of members are of days that are over; until then those tables have them.
create table usage_day (
  tenant_id int not null references tenant on delete cascade,
  day date not null,
  requests bigint not null default 0,
  frames bigint not null default 0,
  positions_received bigint not null default 0,
  positions_stored bigint not null default 0,
  active_users int not null default 0,
  active_devices int not null default 0,
  primary key (tenant_id, day)
);
create table usage_user (
  tenant_id int not null references tenant on delete cascade,
  day date not null,
  user_id text collate "C" not null,
  primary key (tenant_id, day, user_id)
);
create table usage_device (
  tenant_id int not null references tenant on delete cascade,
  day date not null,
  device_id bigint not null,
  primary key (tenant_id, day, device_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['usage_day', 'usage_user', 'usage_device'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format(
      'create policy of_tenant on %I to fleetgate_app
         using (tenant_id = (select nullif(current_setting(''fleetgate.tenant'', true), '''')::int))',
      name
    );
    -- of the tenant as a whole: users of some vehicles see nothing of it
    execute format(
      'create policy of_vehicles on %I as restrictive to fleetgate_restricted using ((select not is_restricted()))',
      name
    );
    execute format('grant select on %I to fleetgate_app', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest', name);
  end loop;
end $$;

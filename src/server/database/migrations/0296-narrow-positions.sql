-- Positions of past days as narrow rows: nothing is stored twice. The names of attributes and the protocol are in a table
-- of their own, times are differences where they differ, and rows are stored in the order of device, time and id, so that
-- the index has all there is to find them and the rows of a device's day are neighbours. Rows are moved here by the
-- history job; the view position_all has the rows of both tables with the columns of position.

-- Names of attributes in their order, as a format of format(): {"ignition":%s,"sat":%s}
create table attribute_form (
  id int primary key generated always as identity,
  tenant_id int not null,
  protocol text,
  template text not null
);
create unique index attribute_form_once on attribute_form (tenant_id, md5(coalesce(protocol, '') || chr(1) || template));

create table position_narrow (
  device_id bigint not null,
  time timestamptz not null,
  latitude float8,
  longitude float8,
  speed float8,
  course float8,
  altitude float8,
  tenant_id int not null,
  -- 0: `texts` is the whole text of the attributes
  form int not null,
  -- ms behind time
  server_after int not null,
  -- 1 valid, 2 outdated, 4 ignition known, 8 ignition on, 16 clock suspect, 32 device time is time, 64 another one in rest,
  -- 128 fix time is time, 256 another one in rest, 512 server time in rest, 1024 network in rest
  flags smallint not null,
  id bytea not null,
  -- the values of attributes as JSON text, with a control character between them, which JSON text does not contain
  texts text not null,
  -- JSON of what few records have: accuracy, network, times; empty: nothing
  rest text not null
) partition by range (time);
create unique index position_narrow_once on position_narrow (device_id, time, id) include (flags, tenant_id)
  with (fillfactor = 100);
create index position_narrow_suspect on position_narrow (device_id, time, id) where flags & 16 <> 0;

do $$
declare
  name text;
begin
  foreach name in array array['attribute_form', 'position_narrow'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($p$create policy of_tenant on %I to fleetgate_app
      using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
      with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))$p$, name);
    execute format('create policy of_all on %I to fleetgate_ingest using (true) with check (true)', name);
    execute format('grant select on %I to fleetgate_app', name);
    execute format('grant select, insert, update, delete on %I to fleetgate_ingest', name);
  end loop;
end $$;
-- as that of position
create policy of_vehicles on position_narrow as restrictive to fleetgate_restricted using (
  (select not is_restricted())
  or exists (select from pairing p where p.device_id = position_narrow.device_id
    and p.valid_from <= position_narrow.time and coalesce(p.valid_to > position_narrow.time, true))
  or is_before_pairings(device_id, "time"));

create view position_all with (security_invoker = true) as
select device_id, time, id, tenant_id, latitude, longitude, speed, course, valid, outdated, altitude, accuracy, device_time,
  fix_time, server_time, protocol, network, attributes, ignition, clock_suspect, xmin as written_by
from position
union all
select n.device_id, n.time, n.id, n.tenant_id, n.latitude, n.longitude, n.speed, n.course,
  n.flags & 1 <> 0, n.flags & 2 <> 0, n.altitude,
  case when n.rest <> '' then (n.rest::json->>'accuracy')::float8 end,
  case when n.flags & 32 <> 0 then n.time when n.flags & 64 <> 0 then (n.rest::json->>'deviceTime')::timestamptz end,
  case when n.flags & 128 <> 0 then n.time when n.flags & 256 <> 0 then (n.rest::json->>'fixTime')::timestamptz end,
  case when n.flags & 512 <> 0 then (n.rest::json->>'serverTime')::timestamptz
    else n.time + n.server_after * interval '1 millisecond' end,
  case when n.form <> 0 then (select f.protocol from attribute_form f where f.id = n.form)
    when n.rest <> '' then n.rest::json->>'protocol' end,
  case when n.flags & 1024 <> 0 then n.rest::json->'network' end,
  case when n.form = 0 then n.texts::json
    else format((select f.template from attribute_form f where f.id = n.form),
      variadic string_to_array(n.texts, chr(1)))::json end,
  case when n.flags & 4 <> 0 then n.flags & 8 <> 0 end,
  n.flags & 16 <> 0,
  n.xmin
from position_narrow n;
grant select on position_all to fleetgate_app, fleetgate_ingest;

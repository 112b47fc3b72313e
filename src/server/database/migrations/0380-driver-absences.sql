-- Leave, sickness and rest in lieu of drivers: days that the average of the working week does not count. One that is revoked is kept.
create table driver_absence (
  id text collate "C" primary key,
  tenant_id int not null references tenant on delete cascade,
  driver_id text collate "C" not null references driver on delete cascade,
  kind text not null check (kind in ('annual-leave', 'sick-leave', 'injury', 'parental-leave', 'rest-in-lieu', 'paid-leave',
                                     'unpaid-leave', 'other')),
  -- whole days of the zone: from the first one at 00:00 to the last one at 24:00
  began timestamptz not null,
  ended timestamptz not null,
  first_day date not null,
  last_day date not null,
  -- of the payroll product; null: that of the kind
  code text,
  note text,
  created_by text not null,
  created_at timestamptz not null,
  revoked_by text,
  revoked_at timestamptz,
  revoked_reason text,
  check (began < ended and first_day <= last_day)
);
create index absence_of_tenant on driver_absence (tenant_id, id);
create index absence_of_driver on driver_absence (driver_id, began);

alter table driver_absence enable row level security;
alter table driver_absence force row level security;
create policy of_tenant on driver_absence to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on driver_absence to fleetgate_ingest using (true) with check (true);
create policy of_vehicles on driver_absence as restrictive to fleetgate_restricted
  using (not (select is_restricted()) or driver_id = any((select own_drivers())::text[]));
grant select, insert, update, delete on driver_absence to fleetgate_app, fleetgate_ingest;

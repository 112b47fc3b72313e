-- Users who are given some vehicles see the drivers and groups of these vehicles, and the drivers that they made.
alter table driver add column created_by text collate "C" default nullif(current_setting('fleetgate.user', true), '');

-- The functions of fleet/sql follow the migrations, and policies need it before.
create function drivers_of_own_vehicles() returns text[] language sql stable parallel safe as $$ select '{}'::text[] $$;

create policy of_vehicles_select on driver as restrictive for select to fleetgate_restricted using (
  (select not is_restricted())
  or user_id = current_setting('fleetgate.user', true) or created_by = current_setting('fleetgate.user', true)
  or id = any ((select drivers_of_own_vehicles())::text[]));

create policy of_vehicles_select on vehicle_group as restrictive for select to fleetgate_restricted using (
  (select not is_restricted()) or id in (select v.group_id from vehicle v where v.group_id is not null));

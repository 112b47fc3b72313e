-- Trips go by the ignition, which lay in the attributes: a month of fifty vehicles would read four million of them.
-- With it, and whether the record has a fix of its own, the index has all that a track needs. Both fit into what
-- alignment left free beside `valid`: the index does not grow.
alter table position add column ignition boolean;
update position set ignition = (attributes->>'ignition')::boolean where attributes->>'ignition' in ('true', 'false');
alter table position drop constraint position_pkey;
alter table position add primary key (device_id, time, id)
  include (latitude, longitude, speed, course, valid, outdated, ignition, tenant_id);

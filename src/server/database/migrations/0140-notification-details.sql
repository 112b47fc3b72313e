-- What the text of a notification says, for programs: geofence, value with its unit, driver, link to a map, language.
alter table notification add column details jsonb;

-- The options of a device describe the vehicle's tank, which rules about fuel read.
create trigger rules_fed after update of options on device for each statement execute function feed_rules();

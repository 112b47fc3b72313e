-- Options of the devices in vehicles of a group, such as how trips are found.
alter table vehicle_group add column options jsonb not null default '{}';

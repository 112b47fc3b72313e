-- Members of records that Traccar's clients write and read and that nothing here is done with, such as the phone number
-- and the category of a device, and records that are theirs alone: saved commands, events that they have been shown.

alter table traccar_id add column data jsonb;
grant update (data) on traccar_id to fleetgate_app;

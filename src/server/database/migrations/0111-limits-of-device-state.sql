-- Replaced by a function of the same name that takes the limits of a device's state.
drop function if exists merge_known(jsonb, json, timestamptz, jsonb);

-- The time of the record cannot be right: it is kept and listed, and counts for nothing. Records that were marked before
-- have the mark in their attributes.
alter table position add column clock_suspect boolean not null default false;
create index position_suspect on position (device_id, time, id) where clock_suspect;

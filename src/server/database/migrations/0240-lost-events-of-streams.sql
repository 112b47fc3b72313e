-- A stream that was behind for longer than the feed is kept has lost events: between these instants.
alter table stream_status add column lost_from timestamptz, add column lost_until timestamptz;

-- Rows of position_narrow that a file of their day holds as well: they stay until all rows of the day are in files, then
-- the day's table is emptied at once. Null: the part has no such rows.
alter table history_file add column narrow_rows bigint;

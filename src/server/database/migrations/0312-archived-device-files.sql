-- Of the bytes that were passed to the tachograph archive: a device's copy goes when it is what was archived. Null: archived
-- by a version that did not note it.
alter table ddd_device_file add column sha256 bytea;

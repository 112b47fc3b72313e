-- Infringements that the signature of a letter has acknowledged: without the signature they are open again.
alter table driver_letter add column acknowledged text[] not null default '{}';

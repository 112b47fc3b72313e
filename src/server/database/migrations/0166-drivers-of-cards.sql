-- What documents and rules need of a driver; null: what the tenant has decided.
alter table driver
  add column tax_code text,
  add column employee_number text,
  add column residence_nation int check (residence_nation between 0 and 255),
  add column service text check (service in ('goods', 'regular-passengers', 'occasional-passengers'));

-- Which root certificates a file was verified with: those that were unverifiable are verified again with others.
alter table ddd_file add column verified_with text;
create index ddd_file_unverifiable on ddd_file (id) where verdict = 'unverifiable';

create function driver_rules_changed() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  update driver_analysis set asked_at = clock_timestamp() where tenant_id = new.tenant_id and driver_id = new.id;
  return null;
end $$;
create trigger driver_rules_changed after update of residence_nation, service on driver for each row
  when (old.residence_nation is distinct from new.residence_nation or old.service is distinct from new.service)
  execute function driver_rules_changed();

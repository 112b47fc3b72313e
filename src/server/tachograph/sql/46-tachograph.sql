-- The 14 characters of a card number as a person may have written it; null where there are fewer.
create or replace function card_of(written text) returns text language sql immutable set search_path = fleetgate, pg_temp as $$
  select case when length(w) >= 14 then left(w, 14) end
  from (select regexp_replace(upper(written), '[\s-]', '', 'g') as w) as x
$$;

create or replace function bind_waiting() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  insert into driver_card (tenant_id, nation, number, driver_id)
  select distinct f.tenant_id, f.nation, left(f.card_number, 14), new.id from ddd_file f
  where f.tenant_id = new.tenant_id and f.driver_id is null and left(f.card_number, 14) = card_of(new.card_number)
  on conflict do nothing;
  return null;
end $$;

create or replace function take_files() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  update ddd_file f set driver_id = new.driver_id
  where f.tenant_id = new.tenant_id and f.nation = new.nation and left(f.card_number, 14) = new.number
    and f.driver_id is distinct from new.driver_id;
  insert into driver_analysis (driver_id, tenant_id, asked_at) values (new.driver_id, new.tenant_id, clock_timestamp())
  on conflict (driver_id) do update set asked_at = excluded.asked_at;
  return null;
end $$;

-- Rules that belong to a driver have changed: the driver is analyzed again.
create or replace function driver_rules_changed() returns trigger language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  update driver_analysis set asked_at = clock_timestamp() where tenant_id = new.tenant_id and driver_id = new.id;
  return null;
end $$;

-- Files with an invalid signature that no person has admitted: their vehicle uses and events do not count. A restricted
-- user does not see all of them, and the policies about drivers need them: reads as the owner.
create or replace function disbelieved_files() returns text[]
language sql stable parallel safe security definer set search_path = fleetgate, pg_temp as $$
  select array(select id from ddd_file where tenant_id = nullif(current_setting('fleetgate.tenant', true), '')::int
                 and verdict = 'invalid' and admitted_at is null)
$$;
revoke execute on function disbelieved_files from public;
grant execute on function disbelieved_files to fleetgate_app;

-- Names of tachograph files: those of the Union, and of France and Spain.
create or replace function is_tachograph_name(name text) returns boolean
language sql immutable set search_path = fleetgate, pg_temp as $$
  select name ~* '\.(ddd|esm|tgd|[cv]1b)$'
$$;

-- A device begins to send a file of that name: a whole one that the archive has not read yet is not replaced by it.
create or replace function keep_unread_file(of_device bigint, of_name text) returns void
language sql set search_path = fleetgate, pg_temp as $$
  update device_file f set superseded = true
  where f.device_id = of_device and f.name = of_name and not f.superseded and f.complete and is_tachograph_name(of_name)
    and not exists (select from ddd_device_file a
                    where a.device_file_id = f.id and a.version = f.version and a.outcome <> 'running')
$$;
revoke execute on function keep_unread_file from public;
grant execute on function keep_unread_file to fleetgate_ingest;

-- A person by name, as documents show who has corrected or signed: by the id where the user has been deleted, or for a key.
create or replace function author_name(author text) returns text
language sql stable set search_path = fleetgate, pg_temp as $$
  select coalesce((select coalesce(nullif(u.name, ''), u.username) from app_user u where u.id = author), author)
$$;

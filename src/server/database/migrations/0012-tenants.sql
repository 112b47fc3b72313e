-- Tenants that operators make, switch off and remove.

alter table tenant add column disabled_at timestamptz;

-- Whatever stands on a tenant that is switched off, every API process forgets it.
create function tell_tenant() returns trigger language plpgsql as $$
begin
  perform pg_notify('fleetgate_key', 'tenant:' || old.tenant_id);
  return null;
end $$;
create trigger tenant_told after update of disabled_at or delete on tenant for each row execute function tell_tenant();

-- Removes a tenant and all that is its own, as whoever calls it: table by table, those that others refer to last. What
-- devices have sent goes by and by, as that of any device that is removed; the audit trail stays.
create function remove_tenant(gone int) returns void language plpgsql set search_path = fleetgate, pg_temp as $$
declare
  part text;
  referred_to int;
  before int := null;
begin
  loop
    referred_to := 0;
    for part in
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'fleetgate'::regnamespace and c.relkind = 'r' and not c.relispartition
        and a.attname = 'tenant_id' and not a.attisdropped
        and c.relname not in ('tenant', 'position_newest', 'audit', 'audit_block')
        and has_table_privilege(c.oid, 'delete')
      order by c.relname
    loop
      begin
        execute format('delete from %I where tenant_id = $1', part) using gone;
      exception when foreign_key_violation then
        referred_to := referred_to + 1;
      end;
    end loop;
    exit when referred_to = 0;
    if referred_to >= before then
      raise exception 'tenant % is still referred to', gone;
    end if;
    before := referred_to;
  end loop;
  delete from tenant where tenant_id = gone;
end $$;
revoke execute on function remove_tenant from public;
grant execute on function remove_tenant to fleetgate_ingest;

-- Removes a tenant and all of its rows with the rights of the caller: table by table, referenced tables last. What
-- devices have sent goes by and by, as that of any device that is removed; the audit trail stays.
create or replace function remove_tenant(gone int) returns void language plpgsql set search_path = fleetgate, pg_temp as $$
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

-- A row as the chain sees it. jsonb is written one way.
create or replace function audit_digest(a audit) returns bytea language sql stable set search_path = fleetgate, pg_temp as $$
  select sha256(convert_to(jsonb_build_array(a.id, a.tenant_id, extract(epoch from a.at)::text, a.actor, a.ip, a.action,
                                             a.object, a.before, a.after, a.request_id)::text, 'UTF8'))
$$;

-- Seals what has been written since, a block a tenant. The new blocks, which the caller authenticates.
create or replace function seal_audit() returns setof audit_block
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
declare
  tenant int;
  last audit_block;
  ids bigint[];
  body bytea;
begin
  if not pg_try_advisory_xact_lock(hashtext('fleetgate audit')) then
    return;
  end if;
  for tenant in select distinct tenant_id from audit where block is null loop
    select array_agg(a.id order by a.id), string_agg(audit_digest(a), ''::bytea order by a.id) into ids, body
    from audit a
    where a.tenant_id = tenant and a.block is null and a.written_in < pg_snapshot_xmin(pg_current_snapshot());
    continue when ids is null;
    select * into last from audit_block b where b.tenant_id = tenant order by b.number desc limit 1;
    return query insert into audit_block (tenant_id, number, rows, previous, hash)
    values (tenant, coalesce(last.number, 0) + 1, cardinality(ids), coalesce(last.hash, ''::bytea),
            sha256(coalesce(last.hash, ''::bytea) || body)) returning *;
    update audit set block = coalesce(last.number, 0) + 1 where id = any(ids);
  end loop;
end $$;

-- A MAC is written once.
create or replace function sign_audit_block(tenant int, block int, block_mac bytea, key text) returns void
language sql security definer set search_path = fleetgate, pg_temp as $$
  update audit_block set mac = block_mac, mac_key = key where tenant_id = tenant and number = block and mac is null
$$;

-- The first block of the tenant whose rows or place in the chain are not what was sealed; null: all are.
create or replace function broken_audit_block(tenant int) returns int language sql stable set search_path = fleetgate, pg_temp as $$
  select min(number) from (
    select b.number,
      b.number = row_number() over (order by b.number)
      and b.previous = coalesce(lag(b.hash) over (order by b.number), ''::bytea)
      and b.rows = coalesce(r.count, 0)
      and b.hash = sha256(b.previous || coalesce(r.body, ''::bytea)) as whole
    from audit_block b
    left join (
      select a.block, count(*)::int as count, string_agg(audit_digest(a), ''::bytea order by a.id) as body
      from audit a where a.tenant_id = tenant and a.block is not null group by a.block
    ) r on r.block = b.number
    where b.tenant_id = tenant
  ) blocks where not whole
$$;
revoke execute on function seal_audit, sign_audit_block, broken_audit_block, audit_digest from public;
grant execute on function broken_audit_block, audit_digest to fleetgate_app, fleetgate_ingest;
grant execute on function seal_audit, sign_audit_block to fleetgate_ingest;

-- One transaction after another stores records of a spool. Followers read in the order of transaction ids, and an id is
-- given before a row is waited for: two APIs that store records of one spool, since the gateway has changed from one to
-- the other, would otherwise be read in the wrong order. Waiting for this lock gives no id.
create or replace function lock_spool(of_gateway text, of_spool text) returns void
language sql set search_path = fleetgate, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('spool ' || of_gateway || ' ' || of_spool, 0))
$$;
revoke execute on function lock_spool from public;
grant execute on function lock_spool to fleetgate_ingest;

-- A batch's statements leave with its begin and its commit in one write. Should the begin alone fail, each statement
-- would be a transaction of its own, and the cursor could pass rows that were refused: the setting stands only within
-- the transaction that the begin has opened.
create or replace function advance_cursor(of_gateway text, of_spool text, behind bigint, first bigint, last bigint,
                                          rejections json, at timestamptz) returns void
language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  if coalesce(current_setting('fleetgate.in_turn', true), '') <> 'on' then
    raise exception 'the batch from % is in no transaction', first using errcode = 'FG001';
  end if;
  perform lock_spool(of_gateway, of_spool);
  update gateway_cursor set last_seq = last, rejected = rejections, clock = greatest(clock, at), updated_at = now()
  where gateway = of_gateway and spool = of_spool and last_seq >= behind and last_seq < first
    -- what was rejected before, the gateway may not have heard of
    and rejected::text = '[]';
  if not found then
    raise exception 'the batch from % does not follow', first using errcode = 'FG001';
  end if;
end $$;
revoke execute on function advance_cursor from public;
grant execute on function advance_cursor to fleetgate_ingest;

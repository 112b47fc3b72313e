-- A batch's statements leave with its begin and its commit in one write. Should the begin alone fail, each statement
-- would be a transaction of its own, and the cursor could pass rows that were refused: the setting stands only within
-- the transaction that the begin has opened.
create or replace function advance_cursor(of_gateway text, of_spool text, behind bigint, first bigint, last bigint,
                                          told json, at timestamptz) returns void
language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  if coalesce(current_setting('fleetgate.in_turn', true), '') <> 'on' then
    raise exception 'the batch from % is in no transaction', first using errcode = 'FG001';
  end if;
  update gateway_cursor set last_seq = last, rejected = told, clock = greatest(clock, at), updated_at = now()
  where gateway = of_gateway and spool = of_spool and last_seq >= behind and last_seq < first
    -- what was rejected before, the gateway may not have heard of
    and rejected::text = '[]';
  if not found then
    raise exception 'the batch from % does not follow', first using errcode = 'FG001';
  end if;
end $$;

-- A batch that comes as expected is applied in one write: nobody looks at what the cursor said before the rows are
-- sent, so what does not fit must fail. The row stays locked until the end of the transaction, as before.
create function advance_cursor(of_gateway text, of_spool text, behind bigint, first bigint, last bigint,
                               told json, at timestamptz) returns void
language plpgsql set search_path = fleetgate, pg_temp as $$
begin
  update gateway_cursor set last_seq = last, rejected = told, clock = greatest(clock, at), updated_at = now()
  where gateway = of_gateway and spool = of_spool and last_seq >= behind and last_seq < first
    -- what was rejected before, the gateway may not have heard of
    and rejected::text = '[]';
  if not found then
    raise exception 'the batch from % does not follow', first using errcode = 'FG001';
  end if;
end $$;
revoke execute on function advance_cursor from public;
grant execute on function advance_cursor to fleetgate_ingest;

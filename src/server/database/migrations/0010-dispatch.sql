-- What dispatch does with a command is one statement each time, whatever the number of commands: a round trip waits for
-- its turn in a busy process, and that, not the work, is what a command's time was made of.
--
-- Scans and joins that read whole tables are switched off inside: plans are kept for the life of a connection, and one
-- that was made while the tables were small reads them from end to end when they are not. So are sorts, so that what
-- has to come in an order is read by the index that has it. One plan does for all values:
-- making one takes longer than what it is made for.

-- Sends: the first pending command that may be sent of each device that is free and on line through one of these
-- gateways becomes `sending`. One transaction at a time per device, by the lock on its session.
create function claim_commands(devices int8[], gateways text[])
returns table (id text, device_id int8, gateway text, conn text, attempts int2, ticket int4, imei text, type text,
               params jsonb, encoding text, text text)
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with online as materialized (
    select s.device_id, s.gateway, s.conn, s.epoch from session s
    where s.device_id = any(devices) and s.open and s.gateway = any(gateways)
      and s.held_conn is distinct from s.conn and coalesce(s.next_command_at <= now(), true)
    order by s.device_id for update
  ), chosen as materialized (
    select o.*, c.id from online o cross join lateral (
      select p.id from command p
      where p.device_id = o.device_id and p.state = 'pending' and p.expires_at > now()
        and coalesce(p.not_before <= now(), true)
        and (p.conditions is null or unmet_condition(p.conditions, p.device_id) is null)
      order by p.priority, p.seq limit 1 for update
    ) c
    where not exists (select from command f where f.device_id = o.device_id and f.state in ('sending', 'sent'))
  ), claimed as (
    update command c set state = 'sending', attempts = c.attempts + 1, epoch = chosen.epoch,
      gateway = chosen.gateway, conn = chosen.conn, reason = null, ticket = (c.seq % 65535) + 1,
      deadline = now() + c.answer_ms * interval '1 millisecond'
    from chosen where c.id = chosen.id
    returning c.*
  ), told as (
    insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
    select id, tenant_id, clock_timestamp(), 'pending', 'sending', 'claimed', gateway from claimed
  )
  select c.id, c.device_id, c.gateway, c.conn, c.attempts, c.ticket, d.imei, c.type, c.params, c.encoding, c.text
  from claimed c join device d on d.id = c.device_id;
end $$;

-- Stores new commands in order with all that goes with them, and sends what may be sent at once. A row for each that
-- was stored (`expires_at` is set), and for each that is sent (`gateway` is set), which may be one and the same. A row
-- with neither: an open command has its dedupe key, or (`is_outdated`) what it was planned by is not so any more: the
-- rows of the device and of the tenant's settings by their versions, where one is given, and the protocol that the
-- device speaks. No row: the device's queue was full.
create function enqueue_commands(
  ids text[], tenants int4[], devices int8[], batches text[], priorities int4[], types text[], parameters json[],
  texts text[], encodings text[], onces bool[], most_attempts int4[], conditions json[], not_befores timestamptz[],
  ttls int8[], answers int4[], dedupe_keys text[], callback_urls text[], creators text[],
  device_versions int8[], setting_versions int8[], protocols text[],
  note_actors text[], note_addresses text[], note_actions text[], note_afters json[], note_requests text[],
  gateways text[], most_open int4, wakes_all bool
)
returns table (id text, is_outdated bool, expires_at timestamptz, device_id int8, gateway text, conn text,
               attempts int2, ticket int4, imei text, type text, params jsonb, encoding text, text text)
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  free int8[];
begin
  perform from session s where s.device_id = any(devices) order by s.device_id for update;
  return query
  with fresh as materialized (
    select n.*, row_number() over (partition by n.device_id order by n.place) as place_of_device,
           row_number() over (partition by n.device_id order by n.priority, n.place) as turn
    from unnest(ids, tenants, devices, batches, priorities, types, parameters, texts, encodings, onces, most_attempts,
                conditions, not_befores, ttls, answers, dedupe_keys, callback_urls, creators, device_versions,
                setting_versions, protocols, note_actors, note_addresses, note_actions, note_afters, note_requests)
      with ordinality as n(id, tenant_id, device_id, batch_id, priority, type, params, text, encoding, once, max_attempts, conditions,
           not_before, ttl_ms, answer_ms, dedupe_key, callback_url, created_by, device_version, setting_version,
           protocol, note_actor, note_address, note_action, note_after, note_request, place)
  ), looked as materialized (
    select f.*, t.*,
           f.device_version is not null and (
             t.version is distinct from f.device_version or t.spoken is distinct from f.protocol
             or coalesce((select o.xmin::text::int8 from tenant_setting o where o.tenant_id = f.tenant_id), 0)
               <> f.setting_version) as is_outdated
    from fresh f cross join lateral (
      select d.xmin::text::int8 as version, s.protocol as spoken, s.gateway, s.conn, s.epoch, w.waiting, b.busy,
             coalesce(s.open and s.gateway = any(gateways) and s.held_conn is distinct from s.conn
                      and coalesce(s.next_command_at <= now(), true), false) and w.waiting = 0 and b.busy = 0 as is_free
      -- in the order of the index that is meant: to an empty table any other one would do as well
      from (select count(*)::int as waiting from (
              select from command p where p.device_id = f.device_id and p.state = 'pending'
              order by p.priority, p.seq limit most_open) q) w
      cross join (select count(*)::int as busy from command p
                  where p.device_id = f.device_id and p.state in ('sending', 'sent')) b
      left join device d on d.id = f.device_id
      left join session s on s.device_id = f.device_id
    ) t
  ), fitting as materialized (
    select o.*, nextval('command_seq_seq') as seq from (
      select l.*,
             l.is_free and l.turn = 1 and l.conditions is null and coalesce(l.not_before <= now(), true) as is_sent
      from looked l
      where not l.is_outdated and l.waiting + l.busy + l.place_of_device <= most_open
      order by l.place
    ) o
  ), stored as (
    insert into command (id, tenant_id, device_id, seq, batch_id, priority, type, params, text, encoding, once,
      max_attempts, ticket, conditions, not_before, ttl_ms, expires_at, answer_ms, dedupe_key, callback_url, created_by,
      state, attempts, epoch, gateway, conn, deadline)
    overriding system value
    select f.id, f.tenant_id, f.device_id, f.seq, f.batch_id, f.priority, f.type, f.params, f.text, f.encoding, f.once,
      f.max_attempts, (f.seq % 65535) + 1, f.conditions, f.not_before, f.ttl_ms,
      now() + f.ttl_ms * interval '1 millisecond', f.answer_ms, f.dedupe_key, f.callback_url, f.created_by,
      case when f.is_sent then 'sending' else 'pending' end, f.is_sent::int, case when f.is_sent then f.epoch end,
      case when f.is_sent then f.gateway end, case when f.is_sent then f.conn end,
      case when f.is_sent then now() + f.answer_ms * interval '1 millisecond' end
    from fitting f
    order by f.seq
    on conflict (device_id, dedupe_key) where state in ('pending', 'sending', 'sent') and dedupe_key is not null
    do nothing
    returning *
  ), told as (
    insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
    select s.id, s.tenant_id, clock_timestamp(), l.* from stored s cross join lateral (values
      (null, 'pending', 'enqueued', s.created_by), ('pending', 'sending', 'claimed', s.gateway)
    ) as l(from_state, to_state, reason, actor)
    where l.to_state = 'pending' or s.state = 'sending'
  ), noted as (
    insert into command_outbox (command_id) select s.id from stored s order by s.seq
  ), duplicate as materialized (
    select f.id from fitting f where f.dedupe_key is not null and f.id not in (select s.id from stored s)
  ), audited as (
    insert into audit (tenant_id, actor, ip, action, object, after, request_id)
    select f.tenant_id, f.note_actor, f.note_address, f.note_action, f.id, f.note_after, f.note_request
    from fitting f where f.note_action is not null and f.id not in (select u.id from duplicate u)
  ), waking as (
    insert into wake_up (command_id, tenant_id, due_at)
    select s.id, s.tenant_id, greatest(now(), s.not_before) + interval '1 second' from stored s
    where wakes_all or exists (
      select from tenant_setting t where t.tenant_id = s.tenant_id and t.wake_up_url is not null)
    on conflict (command_id) do nothing
  )
  select s.id, false, s.expires_at, s.device_id, s.gateway, s.conn, s.attempts, s.ticket, d.imei, s.type, s.params,
         s.encoding, s.text
  from stored s left join device d on d.id = s.device_id and s.state = 'sending'
  union all
  select u.id, false, null, null, null, null, null, null, null, null, null, null, null from duplicate u
  union all
  select l.id, true, null, null, null, null, null, null, null, null, null, null, null from looked l where l.is_outdated;
  -- what was there before, or has conditions
  select array_agg(s.device_id) into free from session s
  where s.device_id = any(devices) and s.open and s.gateway = any(gateways)
    and not exists (select from command f where f.device_id = s.device_id and f.state in ('sending', 'sent'));
  if free is not null then
    return query
    select c.id, false, null::timestamptz, c.device_id, c.gateway, c.conn, c.attempts, c.ticket, c.imei, c.type,
           c.params, c.encoding, c.text
    from claim_commands(free, gateways) c;
  end if;
  -- on line through another process
  perform pg_notify('fleetgate_claim', g.gateway) from (
    select distinct s.gateway from session s
    where s.device_id = any(devices) and s.open and not s.gateway = any(gateways)) g;
end $$;

-- What is in flight to these devices, and commands by id; the devices' sessions are locked before, in the order in
-- which everybody locks them.
create function lock_commands(devices int8[], ids text[]) returns setof command
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
begin
  perform from session s where s.device_id = any(devices) order by s.device_id for update;
  return query
  select c.* from command c
  where c.id in (select f.id from command f where f.device_id = any(devices) and f.state in ('sending', 'sent')
                 union select unnest(ids))
  order by c.device_id, c.seq for update;
end $$;

-- Writes commands as they have become, the lines of their histories, and what of the devices' sessions follows; then
-- sends what may be sent to the devices that are free.
create function save_commands(
  ids text[], states text[], tries int4[], given_backs bool[], ttls int8[], expire_ats timestamptz[],
  deadlines timestamptz[], sent_ats timestamptz[], acknowledged_ats timestamptz[], ended_ats timestamptz[],
  answers text[], are_hex bool[], reasons text[], details text[], ack_bys text[], may_have_executeds bool[],
  lates bool[],
  line_ids text[], line_tenants int4[], line_ats timestamptz[], line_froms text[], line_tos text[],
  line_reasons text[], line_actors text[],
  heard text[], answered int8[], written int8[], free int8[], gateways text[]
)
returns table (id text, device_id int8, gateway text, conn text, attempts int2, ticket int4, imei text, type text,
               params jsonb, encoding text, text text)
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  with changed as (
    update command c set state = v.state, attempts = v.attempts, given_back = v.given_back, ttl_ms = v.ttl_ms,
      expires_at = v.expires_at, deadline = v.deadline, sent_at = v.sent_at, acknowledged_at = v.acknowledged_at,
      ended_at = v.ended_at, answer = v.answer, answer_is_hex = v.answer_is_hex, reason = v.reason, detail = v.detail,
      ack_by = v.ack_by, may_have_executed = v.may_have_executed, late = v.late
    from unnest(ids, states, tries, given_backs, ttls, expire_ats, deadlines, sent_ats, acknowledged_ats, ended_ats,
                answers, are_hex, reasons, details, ack_bys, may_have_executeds, lates)
      as v(id, state, attempts, given_back, ttl_ms, expires_at, deadline, sent_at, acknowledged_at, ended_at, answer,
           answer_is_hex, reason, detail, ack_by, may_have_executed, late)
    where c.id = v.id
  ), noted as (
    insert into command_outbox (command_id) select unnest(heard)
  )
  insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
  select * from unnest(line_ids, line_tenants, line_ats, line_froms, line_tos, line_reasons, line_actors);
  if cardinality(answered) > 0 then
    update session s set held_conn = null, held_since = null
    where s.device_id = any(answered) and s.held_conn is not null;
  end if;
  if cardinality(written) > 0 then
    -- the model's gap before the next command
    update session s set next_command_at = now() + (d.options->>'commandGapMs')::int * interval '1 millisecond'
    from device d where d.id = s.device_id and s.device_id = any(written)
      and jsonb_typeof(d.options->'commandGapMs') = 'number';
  end if;
  if cardinality(free) > 0 and cardinality(gateways) > 0 then
    return query select * from claim_commands(free, gateways);
  end if;
end $$;

revoke execute on function claim_commands, enqueue_commands, lock_commands, save_commands from public;
grant execute on function claim_commands, enqueue_commands, lock_commands, save_commands to fleetgate_ingest;
grant usage on sequence command_seq_seq to fleetgate_ingest;

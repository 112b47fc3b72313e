-- Each step of dispatch is one statement, whatever the number of commands: a round trip waits for its place in a busy
-- process, and that, not the work, dominates the latency of a command.
--
-- Scans and joins that read whole tables are switched off inside: plans are kept for the lifetime of a connection, and one
-- that was made while the tables were small reads them from end to end when they are not. So are sorts, so that rows
-- that are needed in an order are read by the index that has it. One plan serves all values: planning takes longer than
-- execution.

-- Claims the first pending command that may be sent of each device that is free and online through one of these
-- gateways. One transaction at a time per device, by the lock on its session.
create or replace function claim_commands(devices int8[], gateways text[]) returns setof command_delivery
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with online as materialized (
    select s as session from session s
    where s.device_id = any(devices) and is_ready(s, gateways)
    order by s.device_id for update
  ), chosen as materialized (
    select claim(first.command, o.session) as command from online o cross join lateral (
      select p as command from command p
      where p.device_id = (o.session).device_id and p.state = 'pending' and p.expires_at > now()
        and coalesce(p.not_before <= now(), true)
        and (p.conditions is null or unmet_condition(p.conditions, p.device_id) is null)
      order by p.priority, p.seq limit 1 for update
    ) first
    -- counted, so that the index of the device is used; an anti-join may read all commands in flight for each device
    where (select count(*) from command f
           where f.device_id = (o.session).device_id and f.state in ('sending', 'sent')) = 0
  ), claimed as (
    update command c set state = (n.command).state, attempts = (n.command).attempts,
      deliveries = (n.command).deliveries, epoch = (n.command).epoch, gateway = (n.command).gateway,
      conn = (n.command).conn, reason = (n.command).reason, ticket = (n.command).ticket, deadline = (n.command).deadline
    from chosen n where c.id = (n.command).id
    returning c as command
  ), recorded as (
    insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
    select l.* from claimed cross join lateral claim_line(claimed.command) l
  )
  -- in the select list it is inlined; in `from` each row would start an executor of its own
  select (delivery_of(claimed.command, d.imei)).* from claimed join device d on d.id = (claimed.command).device_id;
end $$;

-- The row of a new command, pending.
create or replace function command_of(n new_command, seq int8) returns command language plpgsql stable as $$
declare
  c command;
begin
  c.id := n.id;
  c.tenant_id := n.tenant_id;
  c.device_id := n.device_id;
  c.seq := seq;
  c.batch_id := n.batch_id;
  c.state := 'pending';
  c.priority := n.priority;
  c.type := n.type;
  c.params := n.params;
  c.text := n.text;
  c.encoding := n.encoding;
  c.once := n.once;
  c.attempts := 0;
  c.max_attempts := n.max_attempts;
  c.deliveries := 0;
  c.ticket := (seq % 65535) + 1;
  c.conditions := n.conditions;
  c.not_before := n.not_before;
  c.created_at := now();
  c.ttl_ms := n.ttl_ms;
  c.expires_at := now() + n.ttl_ms * interval '1 millisecond';
  c.answer_ms := n.answer_ms;
  c.answer_is_hex := false;
  c.may_have_executed := false;
  c.late := false;
  c.dedupe_key := n.dedupe_key;
  c.callback_url := n.callback_url;
  c.created_by := n.created_by;
  return c;
end $$;

-- Stores new commands in order with everything that belongs to them, and claims what may be sent at once. A row for each
-- that was stored (`expires_at` is set), and for each that is sent (`delivery` is set), which may be one and the same. A
-- row with neither: an open command has its dedupe key, or (`is_outdated`) the rows of the device and of the tenant's
-- settings have changed since it was planned, or the device speaks another protocol. No row: the
-- device's queue was full.
create or replace function enqueue_commands(commands new_command[], gateways text[], open_limit int4, wakes_all bool)
returns table (id text, is_outdated bool, expires_at timestamptz, delivery command_delivery)
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  devices int8[] := array(select n.device_id from unnest(commands) n);
  free int8[];
begin
  perform from session s where s.device_id = any(devices) order by s.device_id for update;
  return query
  with fresh as materialized (
    select p.*, row_number() over (partition by p.device_id order by p.place) as place_of_device,
           row_number() over (partition by p.device_id order by p.priority, p.place) as rank
    from (select n as given, n.id, n.tenant_id, n.device_id, n.priority, row_number() over () as place
          from unnest(commands) n) p
  ), looked as materialized (
    select f.*, t.*,
           (f.given).device_version is not null and (
             t.version is distinct from (f.given).device_version or (t.session).protocol is distinct from (f.given).protocol
             or coalesce((select o.xmin::text::int8 from tenant_setting o where o.tenant_id = f.tenant_id), 0)
               <> (f.given).setting_version) as is_outdated
    from fresh f cross join lateral (
      select d.xmin::text::int8 as version, s as session, w.waiting, b.busy,
             is_ready(s, gateways) and w.waiting = 0 and b.busy = 0 as is_free
      -- in the order of the index that is meant: to an empty table any other one would do as well
      from (select count(*)::int as waiting from (
              select from command p where p.device_id = f.device_id and p.state = 'pending'
              order by p.priority, p.seq limit open_limit) q) w
      cross join (select count(*)::int as busy from command p
                  where p.device_id = f.device_id and p.state in ('sending', 'sent')) b
      left join device d on d.id = f.device_id
      left join session s on s.device_id = f.device_id
    ) t
  ), fitting as materialized (
    select o.*, command_of(o.given, nextval('command_seq_seq')) as command from (
      select l.*,
             l.is_free and l.rank = 1 and (l.given).conditions is null
               and coalesce((l.given).not_before <= now(), true) as is_sent
      from looked l
      where not l.is_outdated and l.waiting + l.busy + l.place_of_device <= open_limit
      order by l.place
    ) o
  ), claimed as materialized (
    select case when f.is_sent then claim(f.command, f.session) else f.command end as command from fitting f
  ), stored as (
    insert into command as c overriding system value
    select (claimed.command).* from claimed
    on conflict (device_id, dedupe_key) where state in ('pending', 'sending', 'sent') and dedupe_key is not null
    do nothing
    returning c as command, c.id, c.state
  ), recorded as (
    insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
    select l.* from stored s cross join lateral (
      select s.id, (s.command).tenant_id, clock_timestamp(), null, 'pending', 'enqueued', (s.command).created_by
      union all
      select c.* from claim_line(s.command) c where s.state = 'sending'
    ) l
  ), published as (
    insert into command_outbox (command_id) select s.id from stored s order by (s.command).seq
  ), duplicate as materialized (
    select f.id from fitting f where (f.given).dedupe_key is not null and f.id not in (select s.id from stored s)
  ), audited as (
    insert into audit (tenant_id, actor, ip, action, object, after, request_id)
    select f.tenant_id, (f.given).note_actor, (f.given).note_address, (f.given).note_action, f.id, (f.given).note_after,
           (f.given).note_request
    from fitting f where (f.given).note_action is not null and f.id not in (select u.id from duplicate u)
  ), waking as (
    insert into wake_up (command_id, tenant_id, due_at)
    select s.id, (s.command).tenant_id, greatest(now(), (s.command).not_before) + interval '1 second' from stored s
    where wakes_all or exists (
      select from tenant_setting t where t.tenant_id = (s.command).tenant_id and t.wake_up_url is not null)
    on conflict (command_id) do nothing
  )
  select s.id, false, (s.command).expires_at, case when s.state = 'sending' then delivery_of(s.command, d.imei) end
  from stored s left join device d on d.id = (s.command).device_id and s.state = 'sending'
  union all
  select u.id, false, null, null from duplicate u
  union all
  select l.id, true, null, null from looked l where l.is_outdated;
  -- commands that were there before, or have conditions
  select array_agg(s.device_id) into free from session s
  where s.device_id = any(devices) and s.open and s.gateway = any(gateways)
    and (select count(*) from command f where f.device_id = s.device_id and f.state in ('sending', 'sent')) = 0;
  if free is not null then
    return query select d.id, false, null::timestamptz, d from claim_commands(free, gateways) d;
  end if;
  -- devices that are online through other processes
  perform pg_notify('fleetgate_claim', g.gateway) from (
    select distinct s.gateway from session s
    where s.device_id = any(devices) and s.open and not s.gateway = any(gateways)) g;
end $$;

-- Commands in flight to these devices, and commands by id, locked; the devices' sessions are locked before, in the order
-- in which every transaction locks them. The ids are found first: in one statement, with sorts switched off, the plan
-- read all commands in the order of their devices.
create or replace function lock_commands(devices int8[], ids text[]) returns setof command
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
declare
  in_flight text[];
begin
  perform from session s where s.device_id = any(devices) order by s.device_id for update;
  select array_agg(f.id) into in_flight
  from unnest(devices) as d(id)
  cross join lateral (
    select c.id from command c where c.device_id = d.id and c.state in ('sending', 'sent') limit 1
  ) f;
  return query select c.* from command c where c.id = any(in_flight || ids) for update;
end $$;

-- Writes changed commands, the lines of their histories, and what follows for the devices' sessions; then claims for the
-- devices that are free. Ids in `published` go to the outbox of the job queue.
create or replace function save_commands(
  changes command_change[], lines command_history[], published text[], holds connection_hold[], written int8[], free int8[],
  gateways text[]
) returns setof command_delivery
language plpgsql set search_path = fleetgate, pg_temp set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  with changed as (
    update command c set state = v.state, attempts = v.attempts, ttl_ms = v.ttl_ms,
      expires_at = v.expires_at, deadline = v.deadline, sent_at = v.sent_at, acknowledged_at = v.acknowledged_at,
      ended_at = v.ended_at, answer = v.answer, answer_is_hex = v.answer_is_hex, reason = v.reason, detail = v.detail,
      ack_by = v.ack_by, may_have_executed = v.may_have_executed, late = v.late
    from unnest(changes) v
    where c.id = v.id
  ), outbox as (
    insert into command_outbox (command_id) select unnest(published)
  )
  insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
  select l.command_id, l.tenant_id, l.at, l.from_state, l.to_state, l.reason, l.actor from unnest(lines) l;
  if cardinality(holds) > 0 then
    update session s set held_gateway = case when h.is_held then h.gateway end,
      held_conn = case when h.is_held then h.conn end,
      held_until = case when h.is_held then now() + h.answer_ms * interval '1 millisecond' end
    from unnest(holds) h
    where s.device_id = h.device_id
      and case when h.is_held then (s.gateway, s.conn) else (s.held_gateway, s.held_conn) end = (h.gateway, h.conn);
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

revoke execute on function claim_commands, command_of, enqueue_commands, lock_commands,
  save_commands from public;
grant execute on function claim_commands, command_of, enqueue_commands, lock_commands,
  save_commands to fleetgate_ingest;

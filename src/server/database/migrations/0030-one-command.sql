-- A call for one command is what services make all day, and most of what it cost was making the plan for many ready:
-- half a millisecond of a core. So one that comes alone, without conditions and without a dedupe key, now goes a shorter
-- way to the same rows. All others go as before.
alter function enqueue_commands rename to enqueue_many_commands;

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
  new_id text := ids[1];
  tenant int4 := tenants[1];
  device int8 := devices[1];
  new_not_before timestamptz := not_befores[1];
  session record;
  known record;
  place int8;
  is_sent bool;
begin
  if cardinality(ids) <> 1 or conditions[1] is not null or dedupe_keys[1] is not null then
    return query
    select * from enqueue_many_commands(
      ids, tenants, devices, batches, priorities, types, parameters, texts, encodings, onces, most_attempts, conditions,
      not_befores, ttls, answers, dedupe_keys, callback_urls, creators, device_versions, setting_versions, protocols,
      note_actors, note_addresses, note_actions, note_afters, note_requests, gateways, most_open, wakes_all);
    return;
  end if;
  select s.protocol, s.gateway, s.conn, s.epoch, s.open and s.gateway = any(gateways) as is_here,
         s.open and not s.gateway = any(gateways) as is_elsewhere,
         s.held_conn is distinct from s.conn and coalesce(s.next_command_at <= now(), true) as is_ready
  into session from session s where s.device_id = device for update;
  -- in the order of the index that is meant: to an empty table any other one would do as well
  select d.xmin::text::int8 as version, d.imei, coalesce(t.xmin::text::int8, 0) as setting,
         t.wake_up_url is not null as is_woken,
         (select count(*) from (
            select from command p where p.device_id = device and p.state = 'pending'
            order by p.priority, p.seq limit most_open) q) as waiting,
         (select count(*) from command f where f.device_id = device and f.state in ('sending', 'sent')) as busy
  into known
  from (select) one left join device d on d.id = device left join tenant_setting t on t.tenant_id = tenant;
  id := new_id;
  is_outdated := device_versions[1] is not null and (
    known.version is distinct from device_versions[1] or session.protocol is distinct from protocols[1]
    or known.setting <> setting_versions[1]);
  if is_outdated then
    return next;
    return;
  end if;
  if known.waiting + known.busy >= most_open then
    return;
  end if;
  is_sent := known.waiting = 0 and known.busy = 0 and coalesce(session.is_here and session.is_ready, false)
    and coalesce(new_not_before <= now(), true);
  place := nextval('command_seq_seq');
  expires_at := now() + ttls[1] * interval '1 millisecond';
  with told as (
    insert into command_history (command_id, tenant_id, at, from_state, to_state, reason, actor)
    select new_id, tenant, clock_timestamp(), l.* from (values
      (null, 'pending', 'enqueued', creators[1]), ('pending', 'sending', 'claimed', session.gateway)
    ) as l(from_state, to_state, reason, actor)
    where l.to_state = 'pending' or is_sent
  ), noted as (
    insert into command_outbox (command_id) values (new_id)
  ), audited as (
    insert into audit (tenant_id, actor, ip, action, object, after, request_id)
    select tenant, note_actors[1], note_addresses[1], note_actions[1], new_id, note_afters[1], note_requests[1]
    where note_actions[1] is not null
  )
  insert into command (id, tenant_id, device_id, seq, batch_id, priority, type, params, text, encoding, once,
    max_attempts, ticket, not_before, ttl_ms, expires_at, answer_ms, callback_url, created_by, state, attempts, epoch,
    gateway, conn, deadline)
  overriding system value
  values (new_id, tenant, device, place, batches[1], priorities[1], types[1], parameters[1], texts[1], encodings[1],
    onces[1], most_attempts[1], (place % 65535) + 1, new_not_before, ttls[1],
    now() + ttls[1] * interval '1 millisecond', answers[1], callback_urls[1], creators[1],
    case when is_sent then 'sending' else 'pending' end, is_sent::int, case when is_sent then session.epoch end,
    case when is_sent then session.gateway end, case when is_sent then session.conn end,
    case when is_sent then now() + answers[1] * interval '1 millisecond' end);
  if wakes_all or known.is_woken then
    insert into wake_up (command_id, tenant_id, due_at)
    values (new_id, tenant, greatest(now(), new_not_before) + interval '1 second')
    on conflict (command_id) do nothing;
  end if;
  if is_sent then
    device_id := device;
    gateway := session.gateway;
    conn := session.conn;
    attempts := 1;
    ticket := (place % 65535) + 1;
    imei := known.imei;
    type := types[1];
    params := parameters[1];
    encoding := encodings[1];
    text := texts[1];
  end if;
  return next;
  if session.is_here and known.busy = 0 and not is_sent then
    -- what was there before
    return query
    select c.id, false, null::timestamptz, c.device_id, c.gateway, c.conn, c.attempts, c.ticket, c.imei, c.type,
           c.params, c.encoding, c.text
    from claim_commands(array[device], gateways) c;
  elsif session.is_elsewhere then
    -- on line through another process
    perform pg_notify('fleetgate_claim', session.gateway);
  end if;
end $$;

revoke execute on function enqueue_commands from public;
grant execute on function enqueue_commands to fleetgate_ingest;

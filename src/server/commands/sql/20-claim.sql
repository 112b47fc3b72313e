-- The claim of a command: the transition from pending to sending. `enqueue_commands` and `claim_commands`
-- decide which command is claimed; what a claim requires, writes, records and delivers is defined here alone.

-- True if a command may be sent on the session's connection: open through one of these gateways, not held for a late
-- answer, and past the gap after the last command.
create or replace function is_ready(s session, gateways text[]) returns bool language sql stable as $$
  select coalesce(s.open and s.gateway = any(gateways)
                  and (s.held_gateway, s.held_conn) is distinct from (s.gateway, s.conn)
                  and coalesce(s.next_command_at <= now(), true), false)
$$;

-- The command as it is when it has been claimed for the session.
create or replace function claim(inout c command, s session) language plpgsql stable as $$
begin
  c.state := 'sending';
  c.attempts := c.attempts + 1;
  c.deliveries := c.deliveries + 1;
  c.epoch := s.epoch;
  c.gateway := s.gateway;
  c.conn := s.conn;
  c.reason := null;
  c.ticket := (c.seq % 65535) + 1;
  c.deadline := now() + c.answer_ms * interval '1 millisecond';
end $$;

-- The line of the history for a claimed command.
create or replace function claim_line(c command)
returns table (command_id text, tenant_id int4, at timestamptz, from_state text, to_state text, reason text, actor text)
language sql stable as $$
  select c.id, c.tenant_id, clock_timestamp(), 'pending', 'sending', 'claimed', c.gateway
$$;

create or replace function delivery_of(c command, imei text) returns command_delivery language sql stable as $$
  select row(c.id, c.device_id, c.gateway, c.conn, c.deliveries, c.ticket, imei, c.type, c.params, c.encoding,
             c.text)::command_delivery
$$;

revoke execute on function is_ready, claim, claim_line, delivery_of from public;
grant execute on function is_ready, claim, claim_line, delivery_of to fleetgate_ingest;

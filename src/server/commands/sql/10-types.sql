-- Composite types that functions take and return. Members have the names of the columns that they fill.

-- A new command, with the versions of the rows by which it was planned and its entry in the audit trail.
create type new_command as (
  id text, tenant_id int4, device_id int8, batch_id text, priority int2, type text, params jsonb, text text,
  encoding text, once bool, max_attempts int2, conditions jsonb, not_before timestamptz, ttl_ms int8, answer_ms int4,
  dedupe_key text, callback_url text, created_by text,
  device_version int8, setting_version int8, protocol text,
  note_actor text, note_address text, note_action text, note_after jsonb, note_request text
);

-- The columns of a command that transitions change.
create type command_change as (
  id text, state text, attempts int2, ttl_ms int8, expires_at timestamptz, deadline timestamptz,
  sent_at timestamptz, acknowledged_at timestamptz, ended_at timestamptz, answer text, answer_is_hex bool, reason text,
  detail text, ack_by text, may_have_executed bool, late bool
);

-- Whether commands for a device wait for an answer on a connection, and how long before the connection is closed.
create type connection_hold as (device_id int8, gateway text, conn text, is_held bool, answer_ms int4);

-- Members of a command that its delivery contains.
create type command_delivery as (
  id text, device_id int8, gateway text, conn text, deliveries int4, ticket int4, imei text, type text, params jsonb,
  encoding text, text text
);

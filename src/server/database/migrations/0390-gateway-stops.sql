-- A gateway that stops in order says so, and how many records wait in its spool then.
alter table gateway_lease
  add stopped_at timestamptz,
  -- records that the API has not got yet; null: an earlier version of the gateway
  add waiting bigint;

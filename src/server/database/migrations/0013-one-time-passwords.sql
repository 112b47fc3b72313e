-- One-time passwords (RFC 6238) of users who have asked for them.

create table user_otp (
  user_id text collate "C" primary key references app_user on delete cascade,
  tenant_id int not null,
  -- base32; who reads this table reads password hashes too
  secret text not null,
  created_at timestamptz not null default now(),
  -- null: shown to the user, who has not typed a first one yet
  confirmed_at timestamptz,
  -- number of the period that was used last: none is good twice
  last_period bigint not null default 0,
  -- SHA-256 of those that are left
  recovery_codes bytea[] not null default '{}'
);

alter table user_otp enable row level security;
alter table user_otp force row level security;
create policy of_tenant on user_otp to fleetgate_app
  using (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int))
  with check (tenant_id = (select nullif(current_setting('fleetgate.tenant', true), '')::int));
create policy of_all on user_otp to fleetgate_ingest using (true) with check (true);
-- what credentials stand on is out of the application's reach
grant select, insert, update, delete on user_otp to fleetgate_ingest;

-- The one place that decides whether a tenant, or a user of it, may act and be sent anything. Log-ins, tokens, keys,
-- share links, streams, webhooks, callbacks, reports, remote downloads and messages ask it
-- (test/architecture/active.test.ts). The planner does not inline them: they run once for each row that is due.

create or replace function is_tenant_active(tenant int) returns boolean language sql stable parallel safe as $$
  select exists (select from fleetgate.tenant t where t.tenant_id = $1 and t.disabled_at is null)
$$;

create or replace function is_user_active(tenant int, id text) returns boolean language sql stable parallel safe as $$
  select exists (
    select from fleetgate.app_user u join fleetgate.tenant t on t.tenant_id = u.tenant_id
    where u.tenant_id = $1 and u.id = $2 and u.active and t.disabled_at is null)
$$;

-- Who analyses a driver now; an id of an infringement is a tenant's own, as two tenants may hold the same card.
alter table driver_analysis add column claimed_until timestamptz;
alter table infringement drop constraint infringement_pkey, add primary key (tenant_id, id);

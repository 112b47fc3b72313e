-- A tenant that registers a device id of another tenant has a device that waits: a claim, which the operator decides. Of
-- the devices of an id, one is none.
alter table device add column is_claim boolean not null default false, add column is_rejected boolean not null default false,
  add check (is_claim or not is_rejected);
alter table device drop constraint device_imei_key;
create unique index device_of_imei on device (imei) where not is_claim;
drop index device_of_tenant;
create unique index device_of_tenant on device (tenant_id, imei);
create index device_claims on device (id) where is_claim and not is_rejected;
create index device_unseen on device (tenant_id) where pinned_protocol is null;

drop trigger device_notify on device;
create trigger device_notify after insert or delete or update of imei, tenant_id, options, is_claim on device
  for each row execute function notify_device();

create function is_device_taken(wanted text) returns boolean language sql as 'select false';
grant select on device to fleetgate_app;

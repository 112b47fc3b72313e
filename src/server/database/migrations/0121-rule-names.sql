-- Ids of rules are unique in their tenant: `name` is the id that a tenant gives, `id` is that of the installation.
alter table notification_rule add column name text collate "C";
-- not by an update: policies apply to the owner too
alter table notification_rule alter column name type text collate "C" using id;
alter table notification_rule alter column name set not null;
alter table notification_rule add constraint notification_rule_name_key unique (tenant_id, name);
drop index rule_of_tenant;

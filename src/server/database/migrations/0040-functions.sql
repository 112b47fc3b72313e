-- From here on functions are made by the files in `functions`, which are run as a whole after the migrations whenever
-- one of them has changed. `functions` is their checksum when this migration or a later one was the newest.
alter table schema_migration add column functions text;

alter function tell_device rename to notify_device;
alter function tell_key rename to notify_key;
alter function tell_session rename to notify_session;
alter function tell_tenant rename to notify_tenant;
alter trigger device_told on device rename to device_notify;
alter trigger key_told on api_key rename to key_notify;
alter trigger session_told on auth_session rename to session_notify;
alter trigger user_told on app_user rename to user_notify;
alter trigger tenant_told on tenant rename to tenant_notify;

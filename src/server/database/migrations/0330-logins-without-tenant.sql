-- Logins without a tenant look for the user name or e-mail address in all tenants.
create index user_by_name on app_user (username);
drop index user_by_email;
create index user_by_email on app_user (email) where email is not null;

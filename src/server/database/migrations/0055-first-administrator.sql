-- The administrator of the first start is created once. The first password is erased from the disk when it no longer
-- opens his account.
create table first_administrator (
  is_only boolean primary key default true check (is_only),
  user_id text collate "C" not null,
  password_replaced_at timestamptz
);
grant select, insert on first_administrator to fleetgate_ingest;

-- Installations that have administrators were started before. Forced policies apply to the owner too.
alter table app_user no force row level security;
insert into first_administrator (user_id)
select u.id from app_user u join tenant t using (tenant_id)
where t.name = 'default' and u.role = 'admin' order by u.username = 'admin' desc, u.created_at limit 1;
alter table app_user force row level security;

create function note_first_password() returns trigger language plpgsql security definer
set search_path = fleetgate, pg_temp as $$
begin
  update first_administrator set password_replaced_at = coalesce(password_replaced_at, now()) where user_id = old.id;
  if found then
    perform pg_notify('fleetgate_first_password', '');
  end if;
  return null;
end $$;
revoke execute on function note_first_password from public;
create trigger first_password_replaced after update of password_hash on app_user
  for each row when (old.password_hash is distinct from new.password_hash) execute function note_first_password();
create trigger first_administrator_removed after delete on app_user
  for each row execute function note_first_password();

-- Sessions of the console that were started with an API key have no user.
alter table auth_session alter column user_id drop not null;
alter table auth_session add column key_id text;
alter table auth_session add check ((user_id is null) <> (key_id is null));

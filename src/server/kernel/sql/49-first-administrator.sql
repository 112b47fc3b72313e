create or replace function note_first_password() returns trigger language plpgsql security definer
set search_path = fleetgate, pg_temp as $$
begin
  update first_administrator set password_replaced_at = coalesce(password_replaced_at, now()) where user_id = old.id;
  if found then
    perform pg_notify('fleetgate_first_password', '');
  end if;
  return null;
end $$;
revoke execute on function note_first_password from public;

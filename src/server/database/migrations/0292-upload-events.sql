-- Progress of uploads of tachograph files is sent in event streams.
alter table feed drop constraint feed_kind_check;
alter table feed add constraint feed_kind_check
  check (kind in ('positions', 'commands', 'notifications', 'sessions', 'rules', 'uploads'));

-- A step names the results that came with it: names of files stay in the upload.
create function feed_uploads() returns trigger
language plpgsql security definer set search_path = fleetgate, pg_temp as $$
begin
  return null;
end $$;
create trigger upload_fed after insert or update of state, done on ddd_upload
  for each row execute function feed_uploads();

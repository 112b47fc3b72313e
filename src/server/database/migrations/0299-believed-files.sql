-- A file is verified again with other root certificates also where only a part of it was unverifiable.
drop index ddd_file_unverifiable;
create index ddd_file_unverifiable on ddd_file (id) where signatures @> '[{"verdict": "unverifiable"}]';

create index ddd_file_disbelieved on ddd_file (tenant_id) where verdict = 'invalid' and admitted_at is null;

-- disbelieved_files reads as the owner, to whom forced policies apply too.
do $$
begin
  execute format('create policy of_owner on ddd_file for select to %I using (true)', current_user);
end $$;

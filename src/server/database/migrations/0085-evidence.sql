-- A file with invalid signatures contributes nothing, unless a person has admitted it. A file that is cut or damaged is no
-- complete download.
alter table ddd_file
  add column admitted_at timestamptz,
  add column admitted_by text,
  add column admitted_reason text,
  add column is_incomplete boolean not null default false;
update ddd_file set is_incomplete = true
where jsonb_path_exists(findings, '$[*] ? (@.code == "truncated" || @.code == "wrong-size")');
-- What was derived from files with invalid signatures is derived again.
update driver_analysis a set asked_at = clock_timestamp() where exists (
  select from ddd_card f join driver_card c on c.tenant_id = f.tenant_id and c.nation = f.nation and c.number = f.number
  where c.driver_id = a.driver_id);

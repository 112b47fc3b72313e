-- Ids of the infringements that a letter names: whether there is a letter about one is asked with each list of them.
alter table driver_letter add column named jsonb not null
  generated always as (coalesce(jsonb_path_query_array(content, '$.infringements[*].id'), '[]')) stored;

-- Blocks of the audit trail are authenticated with a key that the database does not know. Older blocks are covered by the
-- first authenticated one, whose hash depends on theirs.
alter table audit_block add column mac bytea, add column mac_key text;

create table audit_key (
  key_id text collate "C" primary key,
  -- sealed with the key of secrets, which is not in the database
  secret text not null,
  created_at timestamptz not null default now()
);
grant select, insert, update, delete on audit_key to fleetgate_ingest;

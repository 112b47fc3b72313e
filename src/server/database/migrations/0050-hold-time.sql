-- How long a late answer is waited for is the answer time of its command.
alter table session add column held_until timestamptz;
alter table session no force row level security;
update session set held_until = held_since + interval '1 minute' where held_since is not null;
alter table session force row level security;
alter table session drop column held_since;

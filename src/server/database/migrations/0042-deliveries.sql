-- Each delivery of a command has a number of its own, which neither a reset nor an attempt that is given back repeats.
-- Of a command that exists already, gateways know numbers up to its attempts; what they have taken on keeps its number.
alter table command add column deliveries int4 not null default 1000;
alter table command alter column deliveries set default 0;
alter table command no force row level security;
update command set deliveries = attempts where state in ('sending', 'sent');
alter table command force row level security;
-- Bytes that may have left count as an attempt, so none is given back for a connection that was dead.
alter table command drop column given_back;

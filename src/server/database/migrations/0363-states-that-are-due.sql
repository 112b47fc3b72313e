-- When the clock changes what is known, if no report comes before: minimum durations, dates, hours of rules.
alter table notification_state add column due_at timestamptz;
create index notification_state_due on notification_state (due_at) where due_at is not null;

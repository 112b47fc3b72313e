-- What was known of a device when a rule was made: its last place, and values that rules remember.
alter table notification_rule_start add column known jsonb;

-- Each geofence of a rule is judged for itself: an episode is of one of them.
alter table notification_episode add column area int not null default 0;
-- What is known of rules with several geofences is of all of them together: they begin anew.
do $$
declare
  rule text;
begin
  for rule in select id from notification_rule
              where type in ('geofence_enter', 'geofence_exit', 'geofence_speed')
                and coalesce(jsonb_array_length(data -> 'params' -> 'geofences'), 0)
                  + (data -> 'params' ? 'area')::int > 1
  loop
    update notification_rule set area_version = area_version + 1 where id = rule;
    perform note_rule_start(rule);
  end loop;
end $$;

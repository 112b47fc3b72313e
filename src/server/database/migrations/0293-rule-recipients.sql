-- A recipient `me` was stored as such, and became whoever saved the rule next.
do $$ begin
  -- any update, even of no row, would be a change of rules in the feed
  if exists (select from notification_rule where data -> 'users' ? 'me') then
    update notification_rule r set data = jsonb_set(r.data, '{users}', u.ids)
    from (select rule_id, jsonb_agg(user_id order by user_id) as ids from notification_rule_user group by rule_id) u
    where u.rule_id = r.id and r.data -> 'users' ? 'me';
  end if;
end $$;

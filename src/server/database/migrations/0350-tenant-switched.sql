-- Webhooks and rules of a tenant that is switched, and those of a user, are read again.
create trigger rules_fed after update of disabled_at on tenant for each statement execute function feed_rules();
create trigger rules_fed after update of active on app_user for each statement execute function feed_rules();

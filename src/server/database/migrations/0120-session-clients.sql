-- Where a session was begun and when its tokens were renewed last, for the list of one's own sessions.
alter table auth_session add column address text, add column user_agent text, add column used_at timestamptz;

-- Tokens of Traccar's clients belong to the session that made them. Those that began a session of their own keep it.
alter table traccar_session add column owns_session boolean not null default true;

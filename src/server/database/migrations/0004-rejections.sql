-- What of a spool's last batch was rejected, so that a gateway that did not hear the answer is told again.
alter table gateway_cursor add rejected json not null default '[]';

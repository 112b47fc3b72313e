-- What gateways report of the records that a target has rejected. The records are on the disks of the gateways.

create table gateway_report (
  gateway text collate "C" primary key,
  set_aside int not null,
  reported_at timestamptz not null default now()
);
grant select, insert, update on gateway_report to fleetgate_ingest;

create table set_aside_record (
  gateway text collate "C" not null,
  id text collate "C" not null,
  target text not null,
  what text not null,
  imei text collate "C",
  protocol text,
  time timestamptz,
  at timestamptz not null,
  code text not null,
  detail text not null,
  size int not null,
  is_replaying bool not null,
  primary key (gateway, id)
);
create index set_aside_record_newest on set_aside_record (at desc, gateway desc, id desc);
grant select, insert, delete on set_aside_record to fleetgate_ingest;

-- Requests of operators to gateways, until they are answered. Unlogged: one that is lost has not been answered in time.
create unlogged table gateway_request (
  id text collate "C" primary key,
  gateway text not null,
  at timestamptz not null default now(),
  answer jsonb
);
grant select, insert, update, delete on gateway_request to fleetgate_ingest;

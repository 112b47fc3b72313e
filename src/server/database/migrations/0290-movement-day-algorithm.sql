-- The version of the trip detection that a day was calculated with. Days of other versions are calculated again.
alter table movement_day add column algorithm int not null default 0;

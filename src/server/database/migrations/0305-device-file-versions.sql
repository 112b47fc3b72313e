-- A device may send another file under the name of one before, of the same size too: a file is passed to the tachograph
-- archive again whenever it has become whole again. One that was not passed yet is kept beside the one that replaces it.
alter table device_file add column version int not null default 0;
alter table device_file add column superseded boolean not null default false;
alter table device_file drop constraint device_file_device_id_name_key;
create unique index device_file_of_name on device_file (device_id, name) where not superseded;

-- Without a version, what was passed before is passed once more: what came later in the same size was not.
alter table ddd_device_file add column version int;

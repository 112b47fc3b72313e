import type pg from 'pg';

export const START = '2026-05-01T00:00:00Z';
export const VEHICLES = 50;
/** that do not report the ignition */
export const BLIND = 10;

const COLUMNS = `(device_id, time, id, tenant_id, latitude, longitude, speed, course, valid, outdated, server_time,
  attributes, ignition)`;

/** Vehicles of the movement benchmark: bench-0, bench-1 to bench-50, and blind-1 to blind-10 without ignition. */
export async function fill(owner: pg.Client, tenantId: number): Promise<void> {
  await owner.query(`set search_path = fleetgate`);
  await owner.query(`select make_partition('position', '2026-05-01', '2026-06-01', '202605')`);
  await owner.query(
    `insert into device (tenant_id, imei, registered_by)
     select $1::int, 'bench-' || n, 'api' from generate_series(0, ${VEHICLES}) n
     union all select $1::int, 'blind-' || n, 'api' from generate_series(1, ${BLIND}) n`,
    [tenantId],
  );
  await owner.query(`insert into position_newest (device_id, tenant_id, time, id, outdated, server_time, attributes, valid)
    select id, tenant_id, now(), '\\x00', false, now(), '{}', true from device`);
  // bench-0: a week at 1 Hz, in and out of the polygon
  await owner.query(
    `insert into position ${COLUMNS}
     select d.id, $1::timestamptz + i * interval '1 s', ${ID}, tenant_id,
       41.9 + sin(i / 5000.0) * 0.1, 12.5 + cos(i / 3000.0) * 0.1, 50, 90, true, false, now(), '{"sat":11}', true
     from device d, generate_series(0, 604799) i where imei = 'bench-0'`,
    [START],
  );
  await fillMonth(owner, 'bench-%', 'drives', '{"sat":11,"fuel":60}');
  await fillMonth(owner, 'blind-%', 'null', '{"sat":11}');
  await owner.query('vacuum analyze position');
}

const ID = `decode(md5(d.id || ' ' || i) || 'ab', 'hex')`;

/** A month, one fix each 30 s; driving for half an hour of each two, from six in the morning to eight at night. */
async function fillMonth(owner: pg.Client, imeis: string, ignition: string, attributes: string): Promise<void> {
  await owner.query(
    `insert into position ${COLUMNS}
     select d.id, $1::timestamptz + i * interval '30 s' + d.id * interval '100 ms', ${ID},
       tenant_id, 45 + case when drives then (i % 240) * 0.004 else 0.24 end, 9, case when drives then 53 else 0 end, 0,
       true, false, now(), '${attributes}', ${ignition}
     from generate_series(0, 86399) i,
       lateral (select i % 240 < 60 and (i / 120) % 24 between 6 and 20 as drives) s,
       device d where imei like '${imeis}' and imei <> 'bench-0'`,
    [START],
  );
}

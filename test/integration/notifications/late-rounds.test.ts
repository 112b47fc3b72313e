import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const VEHICLES = Array.from({ length: 8 }, (_, n) => `LTE${n}`);
const [FIRST, LONGER, ...OTHERS] = VEHICLES.map((targa) => `imei-${targa}`) as [string, string, ...string[]];
const minute = (n: number): string => `2026-06-01T06:${String(n).padStart(2, '0')}:00Z`;
const minutes = (imei: string, count: number): object[] =>
  Array.from({ length: count }, (_, n) => report(imei, minute(n)));
const SOS = { alarm: 'sos' };

let house: Notifying;

beforeAll(async () => {
  const limits = { silenceMs: 3_600_000, pathGapMs: 600_000 };
  const rules = { limits, late: { waitMs: 0, days: 30, mostRows: 4 } };
  // rounds follow one another faster than the clock ticks
  const clock = { ...systemClock, monotonic: () => 0 };
  house = await withDatabase((url) =>
    startNotifying(url, {}, { adminPassword: 'words of the owner' }, undefined, rules, clock),
  );
  const { api } = house;
  await house.drive(...[FIRST, LONGER, ...OTHERS].map((imei) => report(imei, '2026-01-01T00:00:00Z')));
  for (const targa of VEHICLES) {
    await api.send('POST', '/v1/vehicles', { targa });
    await api.send('POST', '/v1/pairings', { targa, imei: `imei-${targa}`, from: 1_000_000_000_001 });
  }
  await house.drive(...minutes(LONGER, 10));
  const data = { id: 'help', type: 'sos', vehicles: VEHICLES, users: ['admin'] };
  expect((await api.send('PUT', '/v1/v1/notifications', { notification_data: data })).status).toBe(200);
}, 60_000);
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

async function startsOf(imei: string): Promise<string[]> {
  const { rows } = await house.api.database.ingest.query<{ kind: string; at: number }>(
    'select kind, occurred_at as at from notification where imei = $1 order by occurred_at',
    [imei],
  );
  return rows.map(({ kind, at }) => `${kind} ${new Date(at).toISOString().slice(11, 19)}`);
}

test('late reports that need several rounds are judged up to the newest one, though nothing else is to be done', async () => {
  await house.drive(...minutes(FIRST, 20));
  await house.drive(report(FIRST, '2026-06-01T06:00:30Z'), report(FIRST, '2026-06-01T06:18:30Z', { attributes: SOS }));
  expect(await startsOf(FIRST)).toEqual(['alarm 06:18:30']);
  const { rows } = await house.api.database.ingest.query('select from notification_late');
  expect(rows).toHaveLength(0);
});

test('a late report is judged where a round ends before it and another one of the same time was judged', async () => {
  // the last report of an hour: what those up to it lead to is stored
  for (const imei of OTHERS) await house.drive(...minutes(imei, 10), report(imei, '2026-06-01T07:00:00Z'));
  // ids, and with them the order of reports of the same time, depend on the content
  for (const [n, imei] of OTHERS.entries()) {
    await house.drive(report(imei, minute(9), { attributes: { ...SOS, power: n } }));
  }
  for (const imei of OTHERS) expect(await startsOf(imei), imei).toEqual(['alarm 06:09:00']);
});

test('a late report is judged after more reports than a round reads that the rule does not apply to', async () => {
  await house.drive(report(LONGER, minute(20)));
  await house.drive(report(LONGER, minute(15), { attributes: SOS }));
  expect(await startsOf(LONGER)).toEqual(['alarm 06:15:00']);
});

test('an alarm that a report in order raises between two rounds of a late one is corrected by the last round', async () => {
  const imei = 'imei-LTE8';
  const { api } = house;
  await api.send('POST', '/v1/vehicles', { targa: 'LTE8' });
  await house.drive(report(imei, '2026-01-01T00:00:00Z'));
  await api.send('POST', '/v1/pairings', { targa: 'LTE8', imei, from: 1_000_000_000_001 });
  const data = { id: 'key', type: 'ignition_on', vehicles: ['LTE8'], users: ['admin'] };
  expect((await api.send('PUT', '/v1/v1/notifications', { notification_data: data })).status).toBe(200);
  const ignition = (on: boolean): object => ({ attributes: { ignition: on } });
  await house.drive(report(imei, minute(0), ignition(false)), ...minutes(imei, 21).slice(1));
  let batches = 0;
  const post = async (position: object): Promise<void> => {
    const { body } = await api.events([{ type: 'position', position }], `between-${batches++}`);
    expect(body.rejected).toEqual([]);
  };
  // 50 entries are evaluated at once: the late report is the last of them, and the next round begins with the one in order
  for (let n = 0; n < 49; n++) await post(report('imei-other', minute(n)));
  await post(report(imei, '2026-06-01T06:01:30Z', ignition(true)));
  await post(report(imei, minute(21), ignition(true)));
  await house.evaluate();
  // in the order of time the ignition goes on once, at 06:01:30
  const { rows } = await api.database.ingest.query<{ started: number; withdrawn: boolean }>(
    `select e.started_at as started, e.is_withdrawn as withdrawn from notification_episode e
     join device d on d.id = e.device_id where d.imei = $1 order by started_at`,
    [imei],
  );
  const active = rows.filter(({ withdrawn }) => !withdrawn).map(({ started }) => new Date(started).toISOString());
  expect(active).toEqual(['2026-06-01T06:01:30.000Z']);
  // the alarm of 06:21 was sent, and so was its correction
  expect((await startsOf(imei)).sort()).toEqual(['alarm 06:01:30', 'alarm 06:21:00', 'withdrawn 06:21:00']);
  const { rows: left } = await api.database.ingest.query('select from notification_late');
  expect(left).toHaveLength(0);
});

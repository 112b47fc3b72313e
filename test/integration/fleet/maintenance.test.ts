import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createFindingNotifier } from '../../../src/server/alerts/evaluation/findings.ts';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const DAY_MS = 86_400_000;
let now = systemClock.now();
let api: RunningApi;

const made = async (path: string, body: object, method = 'POST') => {
  const answer = await api.send(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const count = (targa: string, odometerKm: number) => made(`/v1/vehicles/${targa}/counters`, { odometerKm }, 'PUT');
const due = async (query = '') => (await api.get(`/v1/maintenance/due${query}`)).body.items;

beforeAll(async () => {
  const clock = { ...systemClock, now: () => now };
  const channels = { email: true, web_push: true, fcm: true };
  api = await withDatabase((url) =>
    startApi(
      url,
      {},
      { clock, notify: (finding) => createFindingNotifier(api.database.ingest, { channels })(finding) },
    ),
  );
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

test('a plan by distance warns, is overdue, and begins again where the work was done', async () => {
  await made('/v1/vehicles', { targa: 'MNT 001' });
  await count('MNT001', 84_210);
  const plan = await made('/v1/maintenance', {
    name: 'Oil',
    vehicles: ['mnt-001'],
    everyKm: 15_000,
    remindKm: 1_000,
  });
  expect(plan).toMatchObject({ vehicles: ['MNT001'], allVehicles: false, everyDays: null });
  await count('MNT001', 89_500);
  expect(await due('?plan=Oil')).toMatchObject([
    { planId: plan.id, targa: 'MNT001', state: 'due-soon', dueInKm: 500, dueInHours: null, dueAt: null },
  ]);
  await count('MNT001', 90_020);
  expect(await due('?targa=MNT001')).toMatchObject([{ state: 'overdue', dueInKm: -20 }]);
  const done = await made(`/v1/maintenance/${plan.id}/done`, { targa: 'MNT001', note: '5W-30', cost: 189.5 });
  expect(done).toMatchObject({ odometerKm: 90_020, cost: 189.5, planName: 'Oil' });
  expect(await due('?targa=MNT001')).toMatchObject([{ state: 'ok', dueInKm: 15_000 }]);
  // written down late: the book says that it was done at another counter
  await made(`/v1/maintenance/${plan.id}/done`, {
    targa: 'MNT001',
    odometerKm: 90_005,
    at: new Date(now + 1_000).toISOString(),
  });
  expect(await due('?targa=MNT001')).toMatchObject([{ dueInKm: 14_985 }]);
  const { items } = (await api.get('/v1/vehicles/MNT001/maintenance')).body;
  expect(items).toMatchObject([{ odometerKm: 90_005 }, { odometerKm: 90_020, note: '5W-30' }]);
  // what was done outlives its plan
  await api.send('DELETE', `/v1/maintenance/${plan.id}`);
  expect((await api.get('/v1/vehicles/MNT001/maintenance')).body.items).toMatchObject([
    { planId: null, planName: 'Oil' },
    { planName: 'Oil' },
  ]);
});

test('plans of groups and of all vehicles apply to vehicles that come later', async () => {
  await made('/v1/groups', { name: 'Vans' });
  await made('/v1/maintenance', { name: 'Tyres', groups: ['Vans'], everyDays: 180, remindDays: 14 });
  await made('/v1/maintenance', { name: 'Inspection', allVehicles: true, everyEngineHours: 500 });
  await made('/v1/vehicles', { targa: 'MNT002', group: 'Vans' });
  expect((await due('?targa=MNT002')).map((one: { planName: string }) => one.planName).sort()).toEqual([
    'Inspection',
    'Tyres',
  ]);
  expect((await due('?plan=Inspection')).map((one: { targa: string }) => one.targa)).toEqual(['MNT001', 'MNT002']);
});

test('rules maintenance_due tell each state once', async () => {
  await made('/v1/vehicles', { targa: 'MNT003' });
  await count('MNT003', 9_000);
  await made('/v1/maintenance', { name: 'Brakes', vehicles: ['MNT003'], everyKm: 10_000, remindKm: 500 });
  const rule = { id: 'workshop', type: 'maintenance_due', vehicles: ['MNT003'], users: ['boss'] };
  await made('/v1/users', { username: 'boss', role: 'viewer', allVehicles: true, password: 'words of the boss' });
  await made('/v1/v1/notifications', { notification_data: rule }, 'PUT');
  expect(await api.api.lookForMaintenance()).toBe(0);
  await count('MNT003', 9_600);
  expect(await api.api.lookForMaintenance()).toBe(1);
  expect(await api.api.lookForMaintenance()).toBe(0);
  await count('MNT003', 10_100);
  expect(await api.api.lookForMaintenance()).toBe(1);
  now += 2 * DAY_MS;
  expect(await api.api.lookForMaintenance()).toBe(0);
});

test('a plan needs an interval and vehicles, and names what it does not know', async () => {
  const refused = async (body: object, method = 'POST', path = '/v1/maintenance') => {
    const { status, body: problem } = await api.send(method, path, body);
    return [status, problem.code, problem.detail];
  };
  expect(await refused({ name: 'None', allVehicles: true })).toEqual([
    422,
    'invalid',
    expect.stringContaining('everyKm'),
  ]);
  expect(await refused({ name: 'None', everyKm: 1_000 })).toEqual([
    422,
    'invalid',
    expect.stringContaining('vehicles'),
  ]);
  expect((await refused({ name: 'None', everyKm: 1_000, vehicles: ['MNT001', 'NOBODY'] }))[1]).toBe('unknown-vehicle');
  const { id } = await made('/v1/maintenance', { name: 'Some', everyKm: 1_000, vehicles: ['MNT001'] });
  expect((await refused({ everyKm: null }, 'PATCH', `/v1/maintenance/${id}`))[1]).toBe('invalid');
  expect((await refused({ targa: 'MNT003' }, 'POST', `/v1/maintenance/${id}/done`))[1]).toBe('invalid');
});

test('plans are imported from CSV, and read as a calendar', async () => {
  const csv = 'name,vehicles,groups,allVehicles,everyDays,remindDays\r\nRoadworthiness,"[""MNT003""]",,,365,30\r\n';
  const answer = await fetch(`${api.url}/v1/maintenance/import`, {
    method: 'POST',
    body: csv,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'text/csv' },
  });
  expect(await answer.json()).toMatchObject({ results: [{ outcome: 'created' }] });
  const { body: calendar } = await api.get('/v1/maintenance/calendar.ics', { accept: 'text/calendar' });
  expect(calendar).toContain('BEGIN:VCALENDAR');
  expect(calendar).toContain('SUMMARY:MNT003: Roadworthiness');
});

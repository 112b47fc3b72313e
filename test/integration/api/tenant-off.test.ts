import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createKey, SCOPES } from '../../../src/server/index.ts';
import { claimDeliveries, lockDueWakeUps } from '../../../src/server/live/callbacks/store.ts';
import { lockDue } from '../../../src/server/reports/schedules/store.ts';
import { claimDue } from '../../../src/server/tachograph/remote/store.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { positionEvent } from '../../support/positions.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const ANYBODY = { authorization: '' };
/** `off` is switched, `on` is its witness: what arrives for `on` would have arrived for `off` */
const TENANTS = ['off', 'on'] as const;
type Name = (typeof TENANTS)[number];

let api: RunningApi;
let receiver: Receiver;
const keys = new Map<Name, { authorization: string }>();
const tokens = new Map<Name, string>();
const ids = new Map<Name, number>();

beforeAll(async () => {
  receiver = await startReceiver();
  api = await withDatabase((url) => startApi(url));
  for (const name of TENANTS) {
    await api.send('POST', '/v1/tenants', { name });
    const tenantId = await api.database.tenantId(name);
    const { key } = await createKey(api.database.ingest, { tenantId, name: 'k', scopes: SCOPES });
    const by = { authorization: `Bearer ${key}` };
    keys.set(name, by);
    ids.set(name, tenantId);
    const made = async (path: string, body: object, method = 'POST') => {
      const answer = await api.send(method, path, body, by);
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
      return answer.body;
    };
    await made('/v1/devices', { imei: `${name}-1` });
    await made('/v1/vehicles', { targa: name.toUpperCase() });
    const from = systemClock.now() - 3_600_000;
    await made('/v1/pairings', { targa: name.toUpperCase(), imei: `${name}-1`, from });
    const user = { username: 'watcher', role: 'viewer', allVehicles: true, password: 'a mountain of tarmac' };
    await made('/v1/users', user);
    await made('/v1/streams', { name: 's', type: 'http', url: `${receiver.url}/stream-${name}`, kinds: ['position'] });
    await made('/v1/webhooks', { url: `${receiver.url}/webhook-${name}`, events: ['position'] });
    const rule = { type: 'overspeed', users: ['watcher'], vehicles: [name.toUpperCase()], params: { limitKmh: 60 } };
    await made('/v1/v1/notifications', { notification_data: { ...rule, description: 'Too fast' } }, 'PUT');
    const until = systemClock.now() + 3_600_000;
    tokens.set(name, (await made('/v1/share-links', { targa: name.toUpperCase(), until })).token);
  }
});
afterAll(async () => {
  await api?.stop();
  await receiver?.close();
  await dropDatabases();
});

const turn = (active: boolean) => api.send('PATCH', '/v1/tenants/off', { active });
const openShared = (name: Name) => api.send('POST', '/v1/shared', { token: tokens.get(name) }, ANYBODY);
const streamed = (name: Name, number: number) =>
  receiver.received.some(
    ({ path, body }) => path === `/stream-${name}` && String(body).includes(`"odometer":${number}`),
  );
const count = async (table: string, name: Name): Promise<number> => {
  const { rows } = await api.database.ingest.query(`select count(*)::int as n from ${table} where tenant_id = $1`, [
    ids.get(name),
  ]);
  return rows[0].n;
};
let number = 0;
/** A position of both tenants, until it has reached all receivers of the witness. */
async function drive(): Promise<number> {
  number += 1;
  const before = await Promise.all(['delivery', 'notification'].map((table) => count(table, 'on')));
  for (const name of TENANTS) {
    const over = { speed: 50 + 90 * (number % 2), attributes: { odometer: number } };
    const line = { ...positionEvent(`${name}-1`, number, over), seq: number };
    await api.events([line], name);
  }
  await vi.waitFor(async () => {
    expect(streamed('on', number)).toBe(true);
    expect(await count('delivery', 'on')).toBeGreaterThan(before[0]!);
  }, WAIT);
  return number;
}

test('a tenant that is switched off shares nothing, and goes on when it is switched on', async () => {
  const first = await drive();
  await vi.waitFor(() => expect(streamed('off', first)).toBe(true), WAIT);
  await vi.waitFor(async () => expect(await count('delivery', 'off')).toBe(await count('delivery', 'on')), WAIT);
  expect((await openShared('off')).status).toBe(200);

  expect((await turn(false)).status).toBe(200);
  // workers notice within a second
  const leases = `select lease_owner as owner from stream_status where tenant_id = $1`;
  await vi.waitFor(async () => {
    expect((await api.database.ingest.query(leases, [ids.get('off')])).rows).toEqual([{ owner: null }]);
  }, WAIT);
  const before = { deliveries: await count('delivery', 'off'), notifications: await count('notification', 'off') };
  const second = await drive();
  await drive();
  expect((await openShared('off')).status).toBe(
    (await api.send('POST', '/v1/shared', { token: 'none' }, ANYBODY)).status,
  );
  expect((await openShared('on')).status).toBe(200);
  expect(streamed('off', second)).toBe(false);
  expect(await count('delivery', 'off')).toBe(before.deliveries);
  expect(await count('notification', 'off')).toBe(before.notifications);

  expect((await turn(true)).status).toBe(200);
  // the events of a stream wait for it
  await vi.waitFor(() => expect(streamed('off', second)).toBe(true), WAIT);
  expect((await openShared('off')).status).toBe(200);
});

test('what is due for a tenant that is switched off waits', async () => {
  const { ingest } = api.database;
  const off = ids.get('off')!;
  for (const name of TENANTS) {
    await ingest.query(
      `insert into hook_delivery (tenant_id, kind, command_id, url) values ($1, 'wake-up', 'cmd', 'http://127.0.0.1:1/')`,
      [ids.get(name)],
    );
    await ingest.query(`insert into wake_up (command_id, tenant_id, due_at) values ($2, $1, now())`, [
      ids.get(name),
      `cmd-${name}`,
    ]);
    const schedule = { name: 'd', kind: 'trips', format: 'xlsx', every: 'week', day: 1, hour: 6, zone: 'Europe/Rome' };
    const recipients = ['a@example.org'];
    const made = await api.send(
      'POST',
      '/v1/report-schedules',
      { ...schedule, language: 'en', recipients },
      keys.get(name),
    );
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const remote = await api.send(
      'PUT',
      '/v1/drivers/ddd/remote',
      { targa: name.toUpperCase(), everyDays: 1 },
      keys.get(name),
    );
    expect(remote.status, JSON.stringify(remote.body)).toBe(200);
  }
  await turn(false);
  const now = systemClock.now() + 30 * 86_400_000;
  const tenantsOf = (rows: readonly { tenantId: number }[]) => new Set(rows.map(({ tenantId }) => tenantId));
  const due = await claimDeliveries(ingest, { limit: 50, perHost: 50, busyHosts: [], leaseMs: 0 });
  const wakeUps = await lockDueWakeUps(ingest, null, 50);
  const reports = await lockDue(ingest, now, 50);
  const downloads = await claimDue(ingest, { now, retryMs: 0, limit: 50 });
  for (const rows of [due, wakeUps, reports, downloads]) expect(tenantsOf(rows).has(off)).toBe(false);
  for (const rows of [due, wakeUps, reports, downloads]) expect(tenantsOf(rows).has(ids.get('on')!)).toBe(true);
  await turn(true);
});

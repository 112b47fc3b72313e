import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDispatch } from '../../../src/apps/dispatch.ts';
import type { DispatchEngine } from '../../../src/server/commands/dispatch/index.ts';
import { openDatabase } from '../../../src/server/database/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { silent } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { testSettings } from '../../support/settings.ts';
import { FakeGateway } from '../api/commands/support.ts';

let house: Notifying;
let engine: DispatchEngine;
let close: () => Promise<void>;

beforeAll(async () => {
  const url = await withDatabase(async (one) => one);
  const database = await openDatabase({ url, log: silent });
  const { engine: started, ...parts } = await startDispatch(database, silent, testSettings());
  engine = started;
  house = await startNotifying(url, {}, { adminPassword: 'words of the owner', ...parts });
  close = async () => {
    await house.stop();
    await engine.stop();
    await database.close();
  };
});
afterAll(async () => {
  await close?.();
  await dropDatabases();
});

let made = 0;

/** A vehicle whose device has reported once, and a rule on it. */
async function watched(type: string, params: object = {}) {
  const targa = `KIND${made++}`;
  const imei = `imei-${targa}`;
  await house.api.send('POST', '/v1/vehicles', { targa });
  await house.drive(report(imei, '2026-01-01T00:00:00Z'));
  await house.api.send('POST', '/v1/pairings', { targa, imei, from: 1_000_000_000_001 });
  const data = { type, params, vehicles: [targa], users: ['admin'] };
  const answer = await house.api.send('PUT', '/v1/v1/notifications', { notification_data: data });
  expect(answer.status).toBe(200);
  return {
    imei,
    targa,
    notified: async (): Promise<Notified[]> =>
      (await house.api.get('/v1/notifications/admin?limit=500')).body.items
        .filter(({ ruleId }: Notified) => ruleId === answer.body.notificationId)
        .reverse(),
  };
}
interface Notified {
  readonly ruleId: string;
  readonly occurredAt: string;
  readonly title: string;
  readonly body: string;
}

/** What a device reports: time of day, speed, attributes. */
type Step = readonly [time: string, speed: number, attributes: object];
const WEST = 0;
const EAST = 1;
const fence = [
  [13, 41],
  [14, 41],
  [14, 43],
  [13, 43],
  [13, 41],
];

const kinds: readonly {
  readonly type: string;
  readonly params?: object;
  readonly steps: readonly Step[];
  /** times of day that are notified */
  readonly notified: readonly string[];
}[] = [
  {
    type: 'ignition_off',
    steps: [
      ['10:00', 0, { ignition: true }],
      ['10:05', 0, { ignition: false }],
      ['10:06', 0, { ignition: false }],
      ['10:07', 0, { ignition: true }],
      ['10:09', 0, { ignition: false }],
    ],
    notified: ['10:05', '10:09'],
  },
  {
    type: 'tow',
    params: { dwellSeconds: 30 },
    steps: [
      ['10:00', 0, { ignition: false }],
      // moves, with its key on
      ['10:01', 40, { ignition: true }],
      ['10:02', 0, { ignition: false }],
      ['10:03', 20, { ignition: false }],
      ['10:04', 30, { ignition: false }],
      ['10:05', 30, { ignition: false }],
    ],
    notified: ['10:03'],
  },
  {
    type: 'power_cut',
    params: { minVolts: 6 },
    steps: [
      ['10:00', 0, { power: 12.6 }],
      ['10:01', 0, { power: 5.5 }],
      ['10:02', 0, { power: 0 }],
      // more than the limit, not enough to be over
      ['10:03', 0, { power: 6.4 }],
      ['10:04', 0, { power: 12.1 }],
      ['10:10', 0, { power: 12.1 }],
      ['10:11', 0, { alarm: 'powerCut' }],
    ],
    notified: ['10:01', '10:11'],
  },
  {
    type: 'low_battery',
    params: { minPercent: 15, clearSeconds: 60 },
    steps: [
      ['10:00', 0, { batteryLevel: 40 }],
      ['10:01', 0, { batteryLevel: 14 }],
      ['10:02', 0, { batteryLevel: 16 }],
      ['10:03', 0, { batteryLevel: 90 }],
      ['10:05', 0, { batteryLevel: 90 }],
      ['10:06', 0, { alarm: 'lowBattery' }],
    ],
    notified: ['10:01', '10:06'],
  },
  {
    type: 'fuel_drain',
    params: { litres: 20 },
    steps: [
      ['10:00', 0, { fuel: 300 }],
      // a slosh: it comes back with the next reading
      ['10:02', 0, { fuel: 270 }],
      ['10:04', 0, { fuel: 299 }],
      ['10:06', 0, { fuel: 260 }],
      ['10:08', 0, { fuel: 259 }],
      ['10:10', 0, { fuel: 259 }],
    ],
    notified: ['10:06'],
  },
  {
    type: 'fuel_refill',
    steps: [
      ['10:00', 0, { fuelLevel: 20 }],
      ['10:05', 0, { fuelLevel: 22 }],
      ['10:09', 0, { fuelLevel: 95 }],
      ['10:12', 0, { fuelLevel: 95 }],
    ],
    notified: ['10:09'],
  },
  {
    type: 'maintenance',
    params: { odometerKm: 20_000 },
    steps: [
      ['10:00', 0, { odometer: 19_999_000 }],
      ['10:05', 0, { odometer: 20_000_000 }],
      ['10:09', 0, { odometer: 20_004_000 }],
    ],
    notified: ['10:05'],
  },
  {
    type: 'geofence_exit',
    params: { polygon: fence },
    steps: [
      ['10:00', EAST, {}],
      ['10:05', EAST, {}],
      ['10:10', WEST, {}],
      ['10:15', WEST, {}],
    ],
    notified: ['10:10'],
  },
];

describe('what a device reports', () => {
  test.each(kinds)('is notified by a rule of type $type', async ({ type, params, steps, notified: expected }) => {
    const { imei, notified } = await watched(type, params);
    const isFence = type.startsWith('geofence');
    for (const [time, speed, attributes] of steps) {
      const at = `2026-06-01T${time}:00Z`;
      const place = isFence ? { longitude: speed === EAST ? 13.5 : 12.5 } : { speed };
      await house.drive(report(imei, at, { attributes, ...place }));
    }
    expect((await notified()).map(({ occurredAt }) => occurredAt.slice(11, 16))).toEqual(expected);
  });
});

test('a record whose time cannot be right is not evaluated', async () => {
  const { imei, notified } = await watched('sos');
  const at = (day: string, attributes: object = {}) => report(imei, `2026-${day}T10:00:00Z`, { attributes });
  await house.drive(at('06-20'), at('06-10', { alarm: 'sos' }), at('06-20', { n: 1 }));
  expect(await notified()).toEqual([]);
  await house.drive(at('06-21', { alarm: 'sos' }));
  expect(await notified()).toHaveLength(1);
});

describe('a polygon', () => {
  const [sw, se, ne, nw] = fence;
  test.each([
    ['polygon', 'is not closed', 'polygon-not-closed', [sw, se, ne, nw]],
    ['area', 'is not closed', 'polygon-not-closed', [sw, se, ne, nw]],
    ['polygon', 'intersects itself', 'polygon-self-intersects', [sw, ne, se, nw, sw]],
  ])('as %s of a rule that %s is refused', async (member, _, code, corners) => {
    const params = member === 'polygon' ? { polygon: corners } : { area: { type: 'polygon', coordinates: corners } };
    const data = { type: 'geofence_exit', params, vehicles: ['KIND0'], users: ['admin'] };
    const before = (await house.api.get('/v1/notifications/admin')).body.rules.length;
    const { body } = await house.api.send('PUT', '/v1/v1/notifications', { notification_data: data });
    expect(body).toMatchObject({ status: 422, code });
    expect((await house.api.get('/v1/notifications/admin')).body.rules).toHaveLength(before);
  });
});

describe('the use of a device id by another connection', () => {
  const link = { protocol: 'teltonika', transport: 'tcp', remote: '203.0.113.9:4711' };
  test.each([
    [
      'session_taken_over',
      { type: 'session-taken-over', previous: { ...link, conn: 'a.1', remote: '10.0.0.1:1' } },
      '',
    ],
    ['login_refused', { type: 'login-refused', reason: 'network' }, ', network'],
  ])('is notified by rules of type %s', async (type, event, reason) => {
    const { imei, notified } = await watched(type);
    await house.evaluate();
    const at = Date.UTC(2026, 5, 2);
    const { body } = await house.api.events([{ at, imei, conn: 'a.2', ...link, ...event }], `spool-${type}`);
    expect(body.rejected).toEqual([]);
    await house.evaluate();
    const [message, ...more] = await notified();
    expect(more).toEqual([]);
    expect(message!.body).toContain(`${link.remote}${reason}`);
    expect(message!.occurredAt).toBe('2026-06-02T00:00:00Z');
  });
});

describe('the end of a command', () => {
  test('is notified with the answer of the device, other transitions are not', async () => {
    const { imei, targa, notified } = await watched('command_result', { states: ['acknowledged'] });
    const gateway = await FakeGateway.open(house.api, engine);
    await gateway.connect(imei);
    const { body } = await house.api.send('POST', '/v1/gprsCommands/', { imei, gprsCommand: 'getver' });
    const line = await gateway.next();
    await gateway.sent(line);
    await house.evaluate();
    expect(await notified()).toEqual([]);
    await gateway.answer(line, { text: 'Ver:03.27' });
    await expect
      .poll(async () => {
        await house.evaluate();
        return (await notified()).length;
      })
      .toBe(1);
    const [message] = await notified();
    expect(JSON.stringify(message)).toContain('getver: acknowledged (Ver:03.27)');
    expect((await house.api.get(`/v1/gprsCommands/${body.commandId}`)).body.status).toBe('acknowledged');
    const rule = { type: 'command_result', params: { states: ['acknowledged'] }, vehicles: [targa] };
    const tested = await house.api.send('POST', '/v1/notifications/backtest', {
      rule,
      from: '2026-01-02T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
    });
    expect(tested.body).toMatchObject({ code: 'interval-too-long' });
    const at = Date.parse(message!.occurredAt);
    const { messages } = (
      await house.api.send('POST', '/v1/notifications/backtest', { rule, from: at - 60_000, to: at + 60_000 })
    ).body;
    expect(messages).toEqual([
      {
        at: message!.occurredAt,
        vehicle: targa,
        title: message!.title,
        body: message!.body,
        latitude: null,
        longitude: null,
      },
    ]);
    gateway.close();
  });
});

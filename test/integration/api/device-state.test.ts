import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './commands/support.ts';

const LIMITS = { STATE_ATTRIBUTES: 20, STATE_VALUE_BYTES: 128 };

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands(LIMITS);
});
afterAll(() => world?.stop());

const START = Date.now() - 600_000;
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

const fix = (imei: string, seconds: number, attributes: object, longitude = 12.5) => ({
  deviceId: imei,
  protocol: 'teltonika',
  deviceTime: at(seconds),
  fixTime: at(seconds),
  valid: true,
  latitude: 41.9,
  longitude,
  speed: 0,
  attributes,
});
const status = (imei: string, seconds: number, attributes: object) => ({
  deviceId: imei,
  protocol: 'teltonika',
  deviceTime: at(seconds),
  valid: false,
  outdated: true,
  attributes,
});

async function push(...positions: object[]): Promise<void> {
  const { status: code, body } = await world.api.send('POST', '/v1/positions', { positions });
  expect({ code, rejected: body.rejected }).toEqual({ code: 200, rejected: [] });
}
const state = async (imei: string) => (await world.api.get(`/v1/devices/${imei}/state`)).body;
const position = async (imei: string) => world.api.get(`/v1/vehicles/${imei}/position`);

/** All orders of the elements. */
function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, n) => permutations(items.filter((_, i) => i !== n)).map((rest) => [item, ...rest]));
}

describe('the state of a device', () => {
  test('is its last fix, and of each attribute the last value with its time', async () => {
    const imei = await world.device();
    await push(fix(imei, 0, { ignition: true, power: 12.1, sat: 9 }));
    await push(fix(imei, 10, { ignition: true, power: 12.4 }, 12.6));
    await push(status(imei, 20, { type: 6, result: 'OK' }), status(imei, 30, { power: 12.7 }));
    expect(await state(imei)).toMatchObject({
      imei,
      online: false,
      lastFix: { imei, fixTime: at(10), longitude: 12.6, attributes: { ignition: true, power: 12.4 } },
      attributes: {
        ignition: { value: true, time: at(10) },
        power: { value: 12.7, time: at(30) },
        sat: { value: 9, time: at(0) },
        type: { value: 6, time: at(20) },
        result: { value: 'OK', time: at(20) },
      },
    });
    const shown = (await position(imei)).body;
    expect(shown).toMatchObject({ longitude: 12.6, fixTime: at(10), attributes: { ignition: true, power: 12.4 } });
    expect(shown.outdated).toBeUndefined();
    expect(shown.attributes.result).toBeUndefined();
  });

  test('does not depend on the order in which records come, together or one by one', async () => {
    const records = (imei: string) => [
      fix(imei, 0, { ignition: true, a: 1 }),
      status(imei, 10, { ignition: false, b: 'x' }),
      fix(imei, 20, { a: 2, '"c,:{"': true }, 12.7),
      status(imei, 30, { b: 'y"}', result: 'OK' }),
    ];
    const seen = new Set<string>();
    for (const [n, order] of permutations([0, 1, 2, 3]).entries()) {
      const imei = await world.device();
      const sorted = order.map((i) => records(imei)[i]!);
      if (n % 3 === 0) await push(...sorted);
      else if (n % 3 === 1) for (const record of sorted) await push(record);
      else {
        await push(...sorted.slice(0, 2));
        await push(...sorted.slice(1));
      }
      const { lastFix, attributes } = await state(imei);
      seen.add(JSON.stringify([lastFix.longitude, lastFix.fixTime, Object.entries(attributes).sort()]));
    }
    expect([...seen]).toEqual([
      JSON.stringify([
        12.7,
        at(20),
        Object.entries({
          '"c,:{"': { value: true, time: at(20) },
          a: { value: 2, time: at(20) },
          b: { value: 'y"}', time: at(30) },
          ignition: { value: false, time: at(10) },
          result: { value: 'OK', time: at(30) },
        }).sort(),
      ]),
    ]);
  });

  test('is that of all records, whatever their attributes and however they are divided into batches', async () => {
    const names = ['ignition', 'power', 'a"b', 'c\\,"d', 'é'];
    const record = fc.record({
      seconds: fc.integer({ min: 0, max: 60 }),
      names: fc.subarray(names),
      value: fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom('x', '","power":1', '\\')),
      isFix: fc.boolean(),
      batch: fc.integer({ min: 0, max: 3 }),
    });
    const records = fc.uniqueArray(record, { minLength: 1, maxLength: 10, selector: ({ seconds }) => seconds });
    await fc.assert(
      fc.asyncProperty(records, async (list) => {
        const imei = await world.device();
        for (const batch of [0, 1, 2, 3]) {
          const own = list.filter((one) => one.batch === batch);
          const positions = own.map(({ seconds, names: given, value, isFix }) =>
            (isFix ? fix : status)(imei, seconds, Object.fromEntries(given.map((name) => [name, value]))),
          );
          if (positions.length > 0) await push(...positions);
        }
        const expected = new Map<string, object>();
        const sorted = [...list].sort((a, b) => a.seconds - b.seconds);
        for (const { seconds, names: given, value } of sorted)
          for (const name of given) expected.set(name, { value, time: at(seconds) });
        const { lastFix, attributes } = await state(imei);
        expect(attributes).toEqual(Object.fromEntries(expected));
        const lastFixAt = sorted.findLast(({ isFix }) => isFix)?.seconds;
        expect(lastFix?.fixTime).toBe(lastFixAt === undefined ? undefined : at(lastFixAt));
      }),
      { numRuns: 60 },
    );
  });

  test('ignores records in the future, and limits the number of attributes', async () => {
    const imei = await world.device();
    await push(fix(imei, 0, { power: 1 }), fix(imei, 86_400, { power: 2 }));
    expect((await state(imei)).attributes.power).toEqual({ value: 1, time: at(0) });
    for (let n = 0; n < 6; n++) {
      const many = Array.from({ length: 200 }, (_, i) => [`key${n}x${i}`, randomBytes(50).toString('base64url')]);
      await push(status(imei, n + 1, Object.fromEntries(many)));
    }
    const { attributes } = await state(imei);
    expect(Object.keys(attributes).length).toBe(LIMITS.STATE_ATTRIBUTES + 1);
    const times = Object.values<{ time: string }>(attributes).map(({ time }) => time);
    expect(new Set(times)).toEqual(new Set([at(0), at(6)]));
  });

  test.each([
    ['together', (records: object[]) => push(...records)],
    [
      'one by one',
      async (records: object[]) => {
        for (const record of records) await push(record);
      },
    ],
  ])('keeps as many values, as long ones, as the settings allow, where records come %s', async (_, send) => {
    const imei = await world.device();
    const names = (first: number, count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${first + n}`, value]));
    await send([
      fix(imei, 0, { sat: 9 }),
      status(imei, 10, names(0, LIMITS.STATE_ATTRIBUTES, 1)),
      status(imei, 20, names(LIMITS.STATE_ATTRIBUTES, 1, 2)),
      // as JSON text a string has two more characters
      status(imei, 30, { short: 'é'.repeat(LIMITS.STATE_VALUE_BYTES / 2 - 1) }),
      status(imei, 40, { long: `${'é'.repeat(LIMITS.STATE_VALUE_BYTES / 2 - 1)}x` }),
      fix(imei, 50, { sat: 8 }),
    ]);
    const { attributes } = await state(imei);
    expect(Object.keys(attributes)).toHaveLength(LIMITS.STATE_ATTRIBUTES + 1);
    expect(attributes).toMatchObject({ sat: { value: 8 }, short: {}, [`key${LIMITS.STATE_ATTRIBUTES}`]: { value: 2 } });
    expect(attributes.long).toBeUndefined();
  });

  test('has neither fix nor position before the first fix', async () => {
    const imei = await world.device();
    expect(await state(imei)).toEqual({ imei, online: false, lastSeen: null, lastFix: null, attributes: {} });
    await push(status(imei, 0, { power: 12 }));
    expect(await state(imei)).toMatchObject({ lastFix: null, attributes: { power: { value: 12 } } });
    expect((await position(imei)).body).toMatchObject({ status: 404, code: 'no-position-yet' });
    expect((await world.api.get('/v1/devices/nobody/state')).body.code).toBe('unknown-device');
    const other = await world.key(['positions:read'], 'other');
    expect((await world.api.get(`/v1/devices/${imei}/state`, other)).status).toBe(404);
  });
});

describe('after the answer to a command, which is a record without a fix', () => {
  test('the vehicle keeps its position and its ignition', async () => {
    const imei = await world.device();
    const gateway = await world.gateway();
    await gateway.connect(imei);
    await world.api.send('POST', '/v1/vehicles', { targa: 'AB123CD' });
    const paired = await world.api.send('POST', '/v1/pairings', { targa: 'AB123CD', imei, from: START });
    expect(paired.status).toBe(200);
    const now = (Date.now() - START) / 1000;
    await push(fix(imei, now - 2, { ignition: true }), status(imei, now - 1, { result: 'OK' }));
    const { body } = await world.api.get('/v1/vehicles/AB123CD?include=lastPosition');
    expect(body).toMatchObject({ status: 'idle', lastPosition: { longitude: 12.5, attributes: { ignition: true } } });
    const made = await world.enqueue({ imei, gprsCommand: 'getver', conditions: { ignition: true, maxSpeed: 5 } });
    expect(await gateway.next()).toMatchObject({ commandId: made.body.commandId });
    gateway.close();
  });

  test('conditions look at the last known ignition, of a status message too', async () => {
    const imei = await world.device();
    const gateway = await world.gateway();
    await gateway.connect(imei);
    const now = (Date.now() - START) / 1000;
    await push(fix(imei, now - 3, { ignition: true }), status(imei, now - 2, { ignition: false }));
    await world.enqueue({ imei, gprsCommand: 'getinfo', conditions: { ignition: true } });
    const { explain } = (await world.api.get(`/v1/gprsCommands/pending/${imei}`)).body;
    expect(explain).toMatchObject([{ reason: 'condition:ignition' }]);
    const made = await world.enqueue({ imei, gprsCommand: 'getver', conditions: { ignition: false } });
    expect(await gateway.next()).toMatchObject({ commandId: made.body.commandId });
    gateway.close();
  });
});

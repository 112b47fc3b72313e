import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Conditions } from '../../../src/contract/command.ts';
import { type DispatchWorld, FakeGateway, openWorld } from './support.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

/** State of a device. Times are seconds from now. */
interface State {
  readonly valid?: boolean;
  /** time of the last fix by the device's clock; null: there is none */
  readonly locatedAt?: number | null;
  /** arrival of the last fix */
  readonly serverTime?: number;
  /** time and arrival of the newest record, with a fix or without */
  readonly time?: number;
  readonly receivedAt?: number;
  readonly speed?: number | null;
  readonly longitude?: number;
  /** value of the last fix and its time; null: it does not count */
  readonly ignition?: boolean | number;
  readonly valuesAt?: number | null;
  /** value that came without a fix, and its time */
  readonly known?: readonly [ignition: boolean, at: number];
}

async function deviceIn(state: State): Promise<number> {
  const { valid = true, locatedAt = -10, serverTime = locatedAt ?? -10, speed = 0, longitude = 12.5 } = state;
  const { time = locatedAt ?? -10, receivedAt = Math.max(serverTime, time), ignition, valuesAt = locatedAt } = state;
  const { id } = await world.device();
  await world.database.ingest.query(
    `insert into position_newest (device_id, tenant_id, id, outdated, valid, latitude, longitude, speed, attributes,
       located_at, server_time, time, received_at, values_at, known)
     select $1, 1, '\\x00', $2::float8 is null, $3, 41.9, $4, $5, $6::json,
       now() + $2::float8 * interval '1 s', now() + $7::float8 * interval '1 s', now() + $8::float8 * interval '1 s',
       now() + $9::float8 * interval '1 s', now() + $10::float8 * interval '1 s',
       case when $11::json is not null then jsonb_build_object('ignition', jsonb_build_array($11::json->0,
         round(1000 * extract(epoch from now() + ($11::json->>1)::float8 * interval '1 s')))) end`,
    [
      id,
      locatedAt,
      valid,
      longitude,
      speed,
      JSON.stringify(ignition === undefined ? {} : { ignition }),
      serverTime,
      time,
      receivedAt,
      valuesAt,
      state.known === undefined ? null : JSON.stringify(state.known),
    ],
  );
  return id;
}

async function unmet(conditions: Conditions, state: State): Promise<string | null> {
  const { rows } = await world.database.ingest.query<{ unmet: string | null }>(
    'select unmet_condition($1, $2) as unmet',
    [JSON.stringify(conditions), await deviceIn(state)],
  );
  return rows[0]!.unmet;
}

const insidePolygon: [number, number][] = [
  [12, 41],
  [13, 41],
  [13, 42],
  [12, 42],
  [12, 41],
];
const NOT_FRESH = 'no-fresh-position';

describe('a condition on speed or place', () => {
  test.each<[string, State, string | null]>([
    ['is met by a valid fix of the last minute', {}, null],
    ['is met by one that is nearly a minute old', { locatedAt: -55 }, null],
    ['is met by one whose clock is ahead within the tolerance', { locatedAt: 290, serverTime: -5 }, null],
    ['is not met by a record without a valid fix', { valid: false }, NOT_FRESH],
    ['is not met by a fix that is older', { locatedAt: -61 }, NOT_FRESH],
    ['is not met by an old fix that arrives now', { locatedAt: -600, serverTime: 0 }, NOT_FRESH],
    ['is not met by a fix that arrived earlier, of a clock ahead', { locatedAt: 100, serverTime: -61 }, NOT_FRESH],
    ['is not met by a fix of the future', { locatedAt: 301, serverTime: 0 }, NOT_FRESH],
    ['is not met by a fix that arrives in the future', { locatedAt: -5, serverTime: 301 }, NOT_FRESH],
    ['is not met by a newer record without a fix', { locatedAt: -61, time: 0, receivedAt: 0 }, NOT_FRESH],
    ['is not met without a fix', { locatedAt: null }, NOT_FRESH],
  ])('%s', async (_, state, reason) => {
    expect(await unmet({ maxSpeed: 5 }, state)).toBe(reason);
    expect(await unmet({ insidePolygon }, state)).toBe(reason);
    expect(await unmet({ maxSpeed: 5, insidePolygon }, state)).toBe(reason);
  });

  test('is not met by a current value of the ignition instead of a fix', async () => {
    const state: State = { locatedAt: -61, known: [true, -1], time: 0, receivedAt: 0 };
    expect(await unmet({ ignition: true }, state)).toBeNull();
    expect(await unmet({ maxSpeed: 5, ignition: true }, state)).toBe(NOT_FRESH);
  });

  test.each<[number | null, string | null]>([
    [0, null],
    [5, null],
    [5.1, 'maxSpeed'],
    [null, 'maxSpeed'],
    [-1, 'maxSpeed'],
    [Number.NaN, 'maxSpeed'],
  ])('speed %s', async (speed, reason) => {
    expect(await unmet({ maxSpeed: 5 }, { speed })).toBe(reason);
  });

  test('is not met outside of the polygon', async () => {
    expect(await unmet({ insidePolygon }, { longitude: 14 })).toBe('insidePolygon');
  });
});

describe('a condition on the ignition', () => {
  test.each<[string, State, string | null]>([
    ['is met by a value of the last fix', { ignition: true }, null],
    ['is met by 1 as well', { ignition: 1 }, null],
    ['is not met by the other value', { ignition: false }, 'ignition'],
    ['is met by a value of a fix that is not valid', { ignition: true, valid: false }, null],
    ['is met by a value that came without a fix', { locatedAt: null, known: [true, -10], receivedAt: -10 }, null],
    ['is decided by the newer value', { ignition: true, locatedAt: -20, known: [false, -10] }, 'ignition'],
    ['is not met by an old value beside a fresh fix', { known: [true, -61] }, NOT_FRESH],
    ['is not met by an old value that arrives now', { ignition: true, locatedAt: -600, receivedAt: 0 }, NOT_FRESH],
    ['is not met by a value of the future', { ignition: true, valuesAt: 301, receivedAt: 0 }, NOT_FRESH],
    [
      'is met by a value of a clock ahead within the tolerance',
      { ignition: true, locatedAt: 290, serverTime: -5, receivedAt: -5 },
      null,
    ],
    [
      'is not met by a value of such a clock that arrived earlier',
      { ignition: true, locatedAt: 100, serverTime: -61, receivedAt: -61 },
      NOT_FRESH,
    ],
    [
      'is not met by such a value beside later records that have none',
      { known: [true, 100], locatedAt: 200, serverTime: 0, receivedAt: 0 },
      NOT_FRESH,
    ],
    ['is not met by a fix whose values do not count', { ignition: true, valuesAt: null }, NOT_FRESH],
    ['is not met without a value', {}, NOT_FRESH],
  ])('%s', async (_, state, reason) => {
    expect(await unmet({ ignition: true }, state)).toBe(reason);
  });
});

test('nothing is met by a device that has reported nothing', async () => {
  const { id } = await world.device();
  for (const conditions of [{ maxSpeed: 5 }, { ignition: false }, { insidePolygon }]) {
    const { rows } = await world.database.ingest.query('select unmet_condition($1, $2) as unmet', [
      JSON.stringify(conditions),
      id,
    ]);
    expect(rows).toEqual([{ unmet: NOT_FRESH }]);
  }
});

test('a delivery that has not been reported as sent is repeated only while its condition is met', async () => {
  const engine = world.engine();
  const gateway = await new FakeGateway(world, engine).open();
  const id = await deviceIn({});
  const { rows } = await world.database.ingest.query<{ imei: string }>('select imei from device where id = $1', [id]);
  await gateway.connect({ id, imei: rows[0]!.imei });
  await engine.enqueue(world.command(id, { conditions: { maxSpeed: 5 } }));
  await gateway.delivered(1);
  const reopen = async (): Promise<number> => {
    gateway.close();
    await gateway.open();
    return gateway.deliveries().length;
  };
  expect(await reopen()).toBe(2);
  await world.database.ingest.query('update position_newest set speed = 80 where device_id = $1', [id]);
  expect(await reopen()).toBe(2);
  await world.database.ingest.query('update position_newest set speed = 3 where device_id = $1', [id]);
  expect(await reopen()).toBe(3);
  gateway.close();
});

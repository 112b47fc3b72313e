import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createFindingNotifier } from '../../../src/server/alerts/evaluation/index.ts';
import {
  commandEnded,
  compile,
  episodesOf,
  type Fix,
  NOTHING_KNOWN,
  RULE_TYPES,
  silentSince,
} from '../../../src/server/alerts/rules/index.ts';
import { type Notifying, report, startNotifying } from '../../support/alerts.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { metersBetween, type NaiveReport, type NaiveRule, naiveFence, naiveStarts } from '../../support/naive-judge.ts';

const VEHICLES = 40;
const CIRCLE = { type: 'circle', center: [12.52, 41.9], radiusM: 150 } as const;
/** geofences that rules name, beside `CIRCLE`: one inside of it, one apart */
const INNER = { type: 'circle', center: [12.52, 41.9], radiusM: 90 } as const;
const APART = { type: 'circle', center: [12.545, 41.9], radiusM: 300 } as const;
const START = Date.parse('2026-06-01T06:00:00Z');

const has =
  (...names: readonly string[]): NaiveRule['answer'] =>
  (at) => {
    const alarms = String(at.attributes['alarm'] ?? '').split(',');
    return names.some((name) => alarms.includes(name)) ? 'alarm' : 'no';
  };
const is = (holds: boolean): 'yes' | 'no' => (holds ? 'yes' : 'no');
const below =
  (name: string, least: number, over: number, alarms: readonly string[]): NaiveRule['answer'] =>
  (at) => {
    const level = at.attributes[name] as number;
    if (has(...alarms)(at) === 'alarm' && level >= least) return 'alarm';
    return level < least ? 'yes' : level >= over ? 'no' : undefined;
  };
const on = (at: NaiveReport): boolean => at.attributes['ignition'] === true;

function fuelInOrder(reports: readonly NaiveReport[], type: 'fuel_drain' | 'fuel_refill'): number[] {
  const rule = { type, zone: 'UTC', hours: undefined, cooldownSeconds: 0, params: { litres: 20 }, areas: [] };
  const fixes = reports.map((each): Fix => {
    const { ignition, ...rest } = each.attributes;
    return {
      ...each,
      id: '',
      valid: true,
      outdated: false,
      course: 0,
      ignition: ignition as boolean,
      mentions: (name) => name in rest,
      attributes: () => rest,
    };
  });
  return episodesOf(compile(rule), fixes).map(({ from }) => from);
}

/** A rule as it is sent, and its starts by the naive judge. */
interface Case {
  readonly rule: {
    readonly type: string;
    readonly params?: object;
    readonly cooldownSeconds?: number;
    readonly auth_hours?: object;
  };
  readonly starts: (reports: readonly NaiveReport[]) => number[];
}
const by = (rule: Case['rule'], naive: NaiveRule): Case => ({ rule, starts: (list) => naiveStarts(list, naive) });
const alarm = (type: string, clearS: number, ...names: readonly string[]): Case =>
  by({ type }, { answer: has(...names), clearS });
const over =
  (limit: number): NaiveRule['answer'] =>
  ({ speed }) =>
    speed > limit ? 'yes' : speed <= limit - 3 ? 'no' : undefined;

/** what each device has reported before the rules were made */
const BEFORE: NaiveReport = { at: Date.parse('2026-01-01'), latitude: 41.9, longitude: 12.5, speed: 0, attributes: {} };
const fenced = (reports: readonly NaiveReport[], area: Parameters<typeof naiveFence>[1], kind: 'enter' | 'exit') =>
  naiveFence([BEFORE, ...reports], area, kind);

/** on Monday, from half an hour after the start of a drive */
const MORNING = { monday: { min: 6.5, max: 8, all_day: false } };
const [FIRST, LAST] = [START + 1_800_000, START + 7_200_000];
const whereInHours = (where: 'inside' | 'outside'): NaiveRule => ({
  answer: ({ at, latitude, longitude }) => {
    if (at < FIRST || at >= LAST) return 'no';
    const metres = metersBetween([latitude, longitude], [CIRCLE.center[1], CIRCLE.center[0]]) - CIRCLE.radiusM;
    if (metres > 0 && metres < 25) return undefined;
    return is(metres <= 0 === (where === 'inside'));
  },
  isState: true,
  repeatAt: [FIRST, LAST],
});

const CASES: Readonly<Record<string, Case>> = {
  overspeed: by({ type: 'overspeed', params: { limitKmh: 90 } }, { answer: over(90), clearS: 30, isDriving: true }),
  lasting: by(
    { type: 'overspeed', params: { limitKmh: 80, dwellSeconds: 180, clearSeconds: 300 } },
    { answer: over(80), dwellS: 180, clearS: 300, isDriving: true },
  ),
  cooling: by(
    { type: 'overspeed', params: { limitKmh: 85, clearSeconds: 0 }, cooldownSeconds: 1_200 },
    { answer: over(85), cooldownS: 1_200, isDriving: true },
  ),
  unauthorized: by(
    { type: 'unauthorized_use' },
    { answer: ({ speed }) => is(speed >= 5), clearS: 300, isDriving: true },
  ),
  ignitionOn: by({ type: 'ignition_on' }, { answer: (at) => is(on(at)), isChange: true }),
  ignitionOff: by({ type: 'ignition_off' }, { answer: (at) => is(!on(at)), isChange: true }),
  tow: by(
    { type: 'tow' },
    {
      answer: (at) => (has('tow')(at) === 'alarm' ? 'alarm' : is(!on(at) && at.speed >= 8)),
      dwellS: 10,
      clearS: 300,
      isDriving: true,
    },
  ),
  idling: by(
    { type: 'idling' },
    {
      answer: (at) => (has('idle')(at) === 'alarm' ? 'alarm' : is(on(at) && at.speed < 5)),
      dwellS: 300,
      clearS: 60,
      isDriving: true,
      isState: true,
    },
  ),
  longStop: by(
    { type: 'long_stop', params: { dwellSeconds: 900 } },
    { answer: ({ speed }) => is(speed < 5), dwellS: 900, clearS: 60, isState: true },
  ),
  sos: alarm('sos', 60, 'sos'),
  accident: alarm('accident', 60, 'accident'),
  jamming: alarm('jamming', 60, 'jamming'),
  tampering: alarm('tampering', 60, 'tampering', 'gpsAntennaCut', 'bonnet'),
  braking: alarm('harsh_braking', 10, 'hardBraking'),
  acceleration: alarm('harsh_acceleration', 10, 'hardAcceleration'),
  cornering: alarm('harsh_cornering', 10, 'hardCornering'),
  other: by({ type: 'device_alarm', params: { alarms: ['vibration'] } }, { answer: has('vibration'), clearS: 60 }),
  powerCut: by({ type: 'power_cut' }, { answer: below('power', 5, 6, ['powerCut', 'powerOff']), clearS: 60 }),
  battery: by({ type: 'low_battery' }, { answer: below('batteryLevel', 20, 25, ['lowBattery']), clearS: 3_600 }),
  unplugged: by(
    { type: 'unplugged' },
    {
      answer: (at) =>
        has('removing')(at) === 'alarm' && at.attributes['charge'] ? 'alarm' : is(at.attributes['charge'] === false),
      clearS: 60,
    },
  ),
  driverMissing: by(
    { type: 'driver_missing' },
    { answer: ({ speed }) => is(speed >= 5), dwellS: 60, clearS: 300, isDriving: true },
  ),
  sensor: by(
    { type: 'sensor', params: { sensor: 'temp1', below: 2, above: 8 } },
    {
      answer: ({ attributes: { temp1 } }) => {
        const value = temp1 as number | undefined;
        return value === undefined ? undefined : is(value < 2 || value > 8);
      },
      clearS: 60,
    },
  ),
  temperature: by(
    { type: 'temperature', params: { minTemperature: 2, maxTemperature: 8 } },
    {
      answer: ({ attributes: { temp1 } }) => {
        const degrees = temp1 as number;
        return degrees < 2 || degrees > 8 ? 'yes' : degrees < 2.5 || degrees > 7.5 ? undefined : 'no';
      },
      clearS: 300,
    },
  ),
  door: by({ type: 'door' }, { answer: (at) => is(at.attributes['door'] === true), clearS: 10 }),
  maintenance: by(
    { type: 'maintenance', params: { odometerKm: 100 } },
    { answer: (at) => is((at.attributes['odometer'] as number) >= 100_000) },
  ),
  speedInFence: by(
    { type: 'geofence_speed', params: { limitKmh: 60, area: { ...CIRCLE, radiusM: 3_000 } } },
    {
      answer: (at) => {
        const north = (at.latitude - 41.9) * 111_195;
        const east = (at.longitude - 12.52) * 111_195 * Math.cos((41.9 * Math.PI) / 180);
        return Math.hypot(north, east) > 3_000 ? 'no' : over(60)(at);
      },
      clearS: 30,
      isDriving: true,
    },
  ),
  inside: by({ type: 'geofence_inside', params: { area: CIRCLE }, auth_hours: MORNING }, whereInHours('inside')),
  outside: by(
    { type: 'geofence_outside', params: { area: CIRCLE, dwellSeconds: 240 }, auth_hours: MORNING },
    { ...whereInHours('outside'), dwellS: 240 },
  ),
  // the detector itself is judged by test/unit/track/fuel.test.ts: here its result in order is the expectation
  drain: { rule: { type: 'fuel_drain', params: { litres: 20 } }, starts: (list) => fuelInOrder(list, 'fuel_drain') },
  refill: { rule: { type: 'fuel_refill', params: { litres: 20 } }, starts: (list) => fuelInOrder(list, 'fuel_refill') },
  enter: {
    rule: { type: 'geofence_enter', params: { area: CIRCLE } },
    starts: (list) => fenced(list, CIRCLE, 'enter'),
  },
  exit: {
    rule: { type: 'geofence_exit', params: { area: CIRCLE } },
    starts: (list) => fenced(list, CIRCLE, 'exit'),
  },
  enterSeveral: {
    rule: { type: 'geofence_enter', params: { geofences: ['Inner', 'Apart'], area: CIRCLE } },
    starts: (list) => ofSeveral(list, 'enter'),
  },
  exitSeveral: {
    rule: { type: 'geofence_exit', params: { geofences: ['Inner', 'Apart'], area: CIRCLE } },
    starts: (list) => ofSeveral(list, 'exit'),
  },
};

const ofSeveral = (reports: readonly NaiveReport[], kind: 'enter' | 'exit'): number[] =>
  [INNER, APART, CIRCLE].flatMap((area) => fenced(reports, area, kind)).sort((a, b) => a - b);

let house: Notifying;

beforeAll(async () => {
  const limits = { silenceMs: 3_600_000, pathGapMs: 600_000 };
  // less than a drive: it is judged again in several rounds
  const rules = { limits, late: { waitMs: 0, days: 30, mostRows: 64 } };
  house = await withDatabase((url) =>
    // the clock, which would judge days of months ago, waits for longer than the test lasts
    startNotifying(url, {}, { adminPassword: 'words of the owner' }, undefined, rules, systemClock, {
      quietMs: 3_600_000,
    }),
  );
  const { api } = house;
  const vehicles = Array.from({ length: VEHICLES }, (_, n) => `ARR${n}`);
  await house.drive(...vehicles.map((targa) => report(`imei-${targa}`, '2026-01-01T00:00:00Z')));
  for (const targa of vehicles) {
    await api.send('POST', '/v1/vehicles', { targa });
    await api.send('POST', '/v1/pairings', { targa, imei: `imei-${targa}`, from: 1_000_000_000_001 });
  }
  for (const [name, area] of Object.entries({ Inner: INNER, Apart: APART })) {
    expect((await api.send('POST', '/v1/geofences', { name, area })).status).toBe(200);
  }
  for (const [id, { rule }] of Object.entries(CASES)) {
    const data = { id, ...rule, vehicles, users: ['admin'], timezone: 'UTC' };
    const { status } = await api.send('PUT', '/v1/v1/notifications', { notification_data: data });
    expect(status, id).toBe(200);
  }
}, 300_000);
afterAll(async () => {
  await house?.stop();
  await dropDatabases();
});

/** Numbers from 0 to 1 that depend on the seed alone. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed | 0;
  for (;;) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    yield ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
}

const ALARMS =
  'sos accident jamming tampering gpsAntennaCut bonnet hardBraking hardAcceleration hardCornering vibration tow idle powerCut lowBattery removing sos,vibration'.split(
    ' ',
  );

/** Several hours with stops, a silence of two hours, and everything that the rules look at. */
function drive(seed: number, count: number): NaiveReport[] {
  const dice = numbers(seed);
  const next = (): number => dice.next().value;
  const reports: NaiveReport[] = [];
  const state = { ignition: true, speed: 40, east: 0, direction: 1, power: 13, battery: 60, charge: true, door: false };
  let [at, odometer, fuel, temp1] = [START, 90_000, 200, 5];
  for (let n = 0; n < count; n++) {
    const stepS = n === Math.floor(count * 0.7) ? 7_300 : 20 + Math.floor(next() * 100);
    at += stepS * 1_000;
    if (next() < 0.06) state.ignition = !state.ignition;
    const target = state.ignition ? 110 * next() : next() < 0.1 ? 20 : 0;
    state.speed = Math.round(next() < 0.6 ? state.speed : target);
    if (!state.ignition && next() < 0.7) state.speed = 0;
    const metres = (state.speed / 3.6) * Math.min(stepS, 120);
    odometer += metres;
    if (Math.abs(state.east) > 6_000) state.direction = -Math.sign(state.east);
    state.east += state.direction * metres;
    if (next() < 0.04) state.power = state.power > 6 ? 0 : 13;
    if (next() < 0.06) state.battery = Math.floor(next() * 60);
    if (next() < 0.04) state.charge = !state.charge;
    if (next() < 0.08) state.door = !state.door;
    temp1 += (next() - 0.5) * 2;
    fuel = next() < 0.04 ? Math.max(30, Math.floor(next() * 250)) : fuel - 0.1;
    reports.push({
      at,
      // never at the edge of a circle, where two formulas may differ
      latitude: 41.9 + 0.0003 * Math.floor(next() * 6) + 0.00005,
      longitude: 12.52 + state.east / 82_760,
      speed: state.speed,
      attributes: {
        ignition: state.ignition,
        power: state.power,
        batteryLevel: state.battery,
        charge: state.charge,
        door: state.door,
        temp1: Math.round(temp1 * 10) / 10,
        odometer: Math.round(odometer),
        fuel: Math.round(fuel * 10) / 10,
        ...(next() < 0.15 ? { alarm: ALARMS[Math.floor(next() * ALARMS.length)] } : {}),
      },
    });
  }
  return reports;
}

/** Batches of indices, in the order in which they arrive. */
type Arrival = (count: number, next: () => number) => number[][];
const all = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const inBatches = (order: readonly number[], size: number): number[][] =>
  Array.from({ length: Math.ceil(order.length / size) }, (_, n) => order.slice(n * size, (n + 1) * size));
const shuffled = <T>(list: readonly T[], next: () => number): T[] =>
  list
    .map((each) => [next(), each] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, each]) => each);
/** An outage in the middle, then 20 live records, then what was kept. */
const afterOutage =
  (order: (kept: number[]) => number[]): Arrival =>
  (count) => {
    const from = Math.floor(count / 5);
    const to = count - 20;
    const kept = all(count).slice(from, to);
    return [...inBatches(all(from), 8), all(count).slice(to), ...inBatches(order(kept), 15)];
  };
const halves = (list: readonly number[]): number[] => [
  ...list.filter((n) => n % 2 === 0),
  ...list.filter((n) => n % 2 === 1),
];

const ARRIVALS: Readonly<Record<string, Arrival>> = {
  'in order': (count) => inBatches(all(count), 10),
  'newest first': (count) => inBatches(all(count).reverse(), 12),
  interleaved: (count) => inBatches(halves(all(count)), 15),
  'in blocks': (count, next) => shuffled(inBatches(all(count), 14), next),
  'shuffled in several batches': (count, next) => inBatches(shuffled(all(count), next), 20),
  'outage, oldest first': afterOutage((kept) => kept),
  'outage, newest first': afterOutage((kept) => kept.reverse()),
  'outage, interleaved': afterOutage(halves),
};

interface Message {
  readonly id: string;
  readonly rule: string;
  readonly kind: string;
  readonly at: number;
  readonly corrects: string | null;
  /** of the geofence */
  readonly area: string | null;
}

/** In the order in which they were created: of one round, a correction comes after the message that it corrects. */
async function messagesOf(imei: string): Promise<Message[]> {
  const { rows } = await house.api.database.ingest.query<Message>(
    `select id, substr(rule_id, 5) as rule, kind, occurred_at as at, corrects, details->'geofence'->>'name' as area from notification
     where imei = $1 order by created_at, corrects is not null`,
    [imei],
  );
  return rows;
}

/** Starts by rule, after corrections; a message that is withdrawn counts no longer. */
function effective(messages: readonly Message[]): Record<string, number[]> {
  const starts = new Map<string, { rule: string; at: number }>();
  for (const { id, rule, kind, at, corrects } of messages) {
    if (kind === 'withdrawn') starts.delete(corrects!);
    else starts.set(corrects ?? id, { rule, at });
  }
  const byRule: Record<string, number[]> = Object.fromEntries(Object.keys(CASES).map((rule) => [rule, []]));
  for (const { rule, at } of starts.values()) byRule[rule]!.push(at);
  for (const list of Object.values(byRule)) list.sort((a, b) => a - b);
  return byRule;
}

let used = 0;
const COUNT = 150;

async function run(seed: number, arrival: Arrival) {
  const imei = `imei-ARR${used++ % VEHICLES}`;
  const reports = drive(seed, COUNT);
  const dice = numbers(seed + 1);
  const positions = reports.map(({ at, ...rest }) => report(imei, new Date(at).toISOString(), rest));
  for (const batch of arrival(COUNT, () => dice.next().value)) await house.drive(...batch.map((n) => positions[n]!));
  const expected = Object.fromEntries(Object.entries(CASES).map(([rule, { starts }]) => [rule, starts(reports)]));
  const messages = await messagesOf(imei);
  return { expected, messages, found: effective(messages) };
}

const FENCES = ['enter', 'exit', 'enterSeveral', 'exitSeveral'];
/** the naive judge walks in steps of a meter */
const roughly = (byRule: Record<string, number[]>) =>
  Object.fromEntries(
    Object.entries(byRule).map(([rule, starts]) => [
      rule,
      FENCES.includes(rule) ? starts.length : starts.map((at) => new Date(at).toISOString()),
    ]),
  );

test.each(Object.entries(ARRIVALS))(
  'reports that arrive %s are notified as if they had arrived in order, once each',
  async (name, arrival) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_000_000 }), async (seed) => {
        const { expected, found, messages } = await run(seed, arrival);
        expect(roughly(found)).toEqual(roughly(expected));
        for (const rule of FENCES) {
          for (const [n, at] of found[rule]!.entries()) expect(Math.abs(at - expected[rule]![n]!)).toBeLessThan(1_000);
        }
        // an episode is notified once: the same start again only where the first message was moved to another start
        const corrected = new Set(messages.map(({ corrects }) => corrects));
        const uncorrected = messages.filter(({ id, kind }) => kind === 'alarm' && !corrected.has(id));
        const starts = uncorrected.map(({ rule, at, area }) => `${rule} ${at} ${area}`);
        expect(new Set(starts).size).toBe(starts.length);
        // the amount of a refuel or a drain is known when it is over
        const others = messages.filter(({ kind, rule }) => kind !== 'alarm' && !['drain', 'refill'].includes(rule));
        if (name === 'in order') expect(others).toEqual([]);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  },
  120_000,
);

test('every type of rule that evaluates reports is among the cases', () => {
  const base = { zone: 'UTC', hours: undefined, cooldownSeconds: 0, params: { limitKmh: 90 }, areas: [] };
  const evaluating = RULE_TYPES.filter((type) => compile({ ...base, type }).readsReports);
  const tested = new Set(Object.values(CASES).map(({ rule }) => rule.type));
  expect([...tested].sort()).toEqual([...evaluating].sort());
});

// The other types: what they report has a key of its own, or is the newest of something.

const EVENT_TYPES = ['session_taken_over', 'login_refused', 'infringement', 'ddd_due'] as const;

test('events that are no reports are notified once each, in any order and however often they are repeated', async () => {
  const { api } = house;
  const vehicles = Array.from({ length: VEHICLES }, (_, n) => `ARR${n}`);
  for (const type of EVENT_TYPES) {
    const data = { id: type, type, vehicles, users: ['admin'] };
    expect((await api.send('PUT', '/v1/v1/notifications', { notification_data: data })).status).toBe(200);
  }
  await house.alerts.run();
  const notifyFinding = createFindingNotifier(api.database.ingest, {
    channels: { email: false, web_push: false, fcm: false },
  });
  const tenantId = await api.database.tenantId('default');
  const link = { protocol: 'teltonika', transport: 'tcp', remote: '203.0.113.9:4711', conn: 'a.2' };
  const previous = { protocol: 'teltonika', transport: 'tcp', conn: 'a.1', remote: '10.0.0.1:1' };
  let spool = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1_000_000 }), async (seed) => {
      const targa = `ARR${used++ % VEHICLES}`;
      const imei = `imei-${targa}`;
      const vehicleId = (await api.get(`/v1/vehicles/${targa}`)).body.id;
      const dice = numbers(seed);
      const next = (): number => dice.next().value;
      const events = EVENT_TYPES.flatMap((type) => all(5).map((n) => ({ type, at: START + n * 60_000 })));
      for (const { type, at } of shuffled([...events, ...events.filter(() => next() < 0.4)], next)) {
        if (type === 'infringement' || type === 'ddd_due') {
          await notifyFinding({ tenantId, type, key: `${targa} ${at}`, at, vehicleId, detail: 'x' });
          continue;
        }
        const event = type === 'login_refused' ? { reason: 'network' } : { previous };
        const line = { type: type.replaceAll('_', '-'), at, imei, ...link, ...event };
        expect((await api.events([line], `events-${spool++}`)).body.rejected).toEqual([]);
      }
      await house.evaluate();
      const { rows } = await api.database.ingest.query<{ type: string; at: number; kind: string }>(
        'select type, occurred_at as at, kind from notification where targa = $1 and type = any($2)',
        [targa, EVENT_TYPES],
      );
      const lines = (list: readonly { type: string; at: number }[]) =>
        list.map(({ type, at }) => `${type} ${at}`).sort();
      expect(lines(rows)).toEqual(lines(events));
      expect(rows.every(({ kind }) => kind === 'alarm')).toBe(true);
    }),
    { numRuns: 2, endOnFailure: true },
  );
}, 300_000);

test('the ends of commands are notified once each, in any order of the commands', () => {
  const ids = all(20).map((n) => `cmd_${n}`);
  fc.assert(
    fc.property(fc.shuffledSubarray([...ids, ...ids], { minLength: 40, maxLength: 40 }), (order) => {
      let state = NOTHING_KNOWN;
      const keys: string[] = [];
      for (const [n, id] of order.entries()) {
        const step = commandEnded(state, {}, { id, state: 'acknowledged', at: START + n, detail: '' });
        state = step.state;
        keys.push(...step.events.map(({ key }) => key));
      }
      expect(keys.sort()).toEqual([...ids].sort());
    }),
  );
});

test('silence of a device counts from the last arrival, whatever arrived before', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 1 }), (arrivals) => {
      const last = START + Math.max(...arrivals) * 1_000;
      const times = arrivals.map((second) => START + second * 1_000);
      // looked for after each arrival, and twice in the end
      const looks = [
        ...times.map((now, n) => [Math.max(...times.slice(0, n + 1)), now] as const),
        [last, last + 3_600_000] as const,
      ];
      let state = NOTHING_KNOWN;
      const found: number[] = [];
      for (const [seenAt, now] of [...looks, looks.at(-1)!]) {
        const step = silentSince(state, { offlineSeconds: 3_600 }, seenAt, Math.max(seenAt, now));
        state = step.state;
        found.push(...step.events.map(({ at }) => at));
      }
      expect(found).toEqual([last + 3_600_000]);
    }),
  );
});

import { describe, expect, test } from 'vitest';
import {
  endFuel,
  type FuelChange,
  type FuelSample,
  type FuelState,
  followFuel,
} from '../../../src/server/movement/track/fuel.ts';
import { calibrate } from '../../../src/server/movement/track/fuel-gauge.ts';
import { byCusum, byDifference, byMedian } from '../../support/fuel-methods.ts';
import { type Sensor, simulateTank, type TankEvent } from '../../support/fuel-tank.ts';

const OPTIONS = { least: 10, unit: 'litres' } as const;
const START = Date.UTC(2026, 4, 1, 8);
const MINUTE = 60_000;

interface Found {
  readonly ended: readonly FuelChange[];
  /** with the time of the reading that brought them */
  readonly shown: readonly (FuelChange & { readonly with: number })[];
}

function detect(readings: readonly FuelSample[], options: Parameters<typeof followFuel>[2] = OPTIONS): Found {
  let state: FuelState | undefined;
  const ended: FuelChange[] = [];
  const shown: (FuelChange & { with: number })[] = [];
  for (const reading of readings) {
    const step = followFuel(state, reading, options);
    state = step.state;
    if (step.shown !== undefined) shown.push({ ...step.shown, with: reading.at });
    if (step.ended !== undefined) ended.push(step.ended);
  }
  const last = endFuel(state, options);
  if (last !== undefined) ended.push(last);
  return { ended, shown };
}

const DENSE: Sensor = { sloshL: 8, everyS: [10, 60] };
const scenarios: Readonly<Record<string, (seed: number) => ReturnType<typeof simulateTank>>> = {
  'slosh of 8 l at 80 km/h, 600 km with stops': (seed) =>
    simulateTank(
      START,
      390,
      [{ drive: 250 }, { park: 45 }, { drive: 200 }, { park: 15, isIdling: true }, { drive: 150 }],
      DENSE,
      seed,
    ),
  'slosh that swings for a minute': (seed) =>
    simulateTank(START, 390, [{ drive: 300 }, { park: 45 }, { drive: 250 }], { ...DENSE, swing: 0.8 }, seed),
  'stop and go in a town': (seed) =>
    simulateTank(
      START,
      200,
      Array.from({ length: 60 }, () => [
        { drive: 0.8, kmh: 35 },
        { park: 1.5, isIdling: true },
      ]).flat(),
      DENSE,
      seed,
    ),
  '200 l into 400 l on the way': (seed) =>
    simulateTank(START, 390, [{ drive: 700 }, { park: 5 }, { refuel: 200 }, { park: 10 }, { drive: 200 }], DENSE, seed),
  '15 l into 600 l': (seed) =>
    simulateTank(
      START,
      400,
      [{ drive: 100 }, { park: 5 }, { refuel: 15 }, { park: 10 }, { drive: 100 }],
      { ...DENSE, sloshL: 12 },
      seed,
    ),
  'overnight theft of 70 l, hourly reports': (seed) =>
    simulateTank(
      START,
      300,
      [{ park: 400 }, { drain: 70, perMinute: 15 }, { park: 300 }],
      { ...DENSE, everyS: [30, 3_600] },
      seed,
    ),
  '40 l siphoned over 2 h': (seed) =>
    simulateTank(
      START,
      300,
      [{ drive: 50 }, { park: 120 }, { drain: 40, perMinute: 1 / 3 }, { park: 200 }, { drive: 60 }],
      DENSE,
      seed,
    ),
  '40 l siphoned over 2 h, reports every 10 min': (seed) =>
    simulateTank(
      START,
      300,
      [{ drive: 50 }, { park: 120 }, { drain: 40, perMinute: 1 / 3 }, { park: 200 }, { drive: 60 }],
      { ...DENSE, everyS: [60, 600] },
      seed,
    ),
  '60 l pumped off in 4 min, then driven on': (seed) =>
    simulateTank(
      START,
      300,
      [{ drive: 80 }, { park: 20 }, { drain: 60, perMinute: 15 }, { park: 30 }, { drive: 80 }],
      DENSE,
      seed,
    ),
  'refuelled and drained at one stop': (seed) =>
    simulateTank(
      START,
      200,
      [
        { drive: 80 },
        { park: 10 },
        { refuel: 150 },
        { park: 60 },
        { drain: 50, perMinute: 10 },
        { park: 60 },
        { drive: 40 },
      ],
      DENSE,
      seed,
    ),
  'a device without ignition, reports every 2 min': (seed) =>
    simulateTank(
      START,
      300,
      [
        { drive: 150 },
        { park: 20 },
        { refuel: 90 },
        { park: 480 },
        { drain: 45, perMinute: 5 },
        { park: 60 },
        { drive: 60 },
      ],
      { ...DENSE, hasIgnition: false, everyS: [120, 120] },
      seed,
    ),
  'a sensor of 1 % of 400 l': (seed) =>
    simulateTank(
      START,
      300,
      [
        { drive: 200 },
        { park: 15 },
        { refuel: 120 },
        { park: 500 },
        { drain: 60, perMinute: 4 },
        { park: 60 },
        { drive: 100 },
      ],
      { ...DENSE, stepL: 4 },
      seed,
    ),
};
const SEEDS = 20;

interface Score {
  readonly name: string;
  readonly events: number;
  readonly found: number;
  readonly spurious: number;
  /** the worst error of an amount, % */
  readonly worst: number;
}

/** Pairs what was found with what happened. */
function score(name: string, found: readonly FuelChange[], events: readonly TankEvent[]): Score {
  const left = [...found];
  let worst = 0;
  let hits = 0;
  for (const event of events) {
    const index = left.findIndex(
      ({ kind, at, shownAt }) =>
        kind === event.kind && at <= event.to && shownAt >= event.from && shownAt <= event.to + 3_600_000,
    );
    if (index === -1) continue;
    hits++;
    worst = Math.max(worst, Math.abs(left[index]!.amount / event.litres - 1) * 100);
    left.splice(index, 1);
  }
  return { name, events: events.length, found: hits, spurious: left.length, worst: Math.round(worst * 10) / 10 };
}

const total = (scores: readonly Score[]): Score =>
  scores.reduce((a, b) => ({
    name: a.name,
    events: a.events + b.events,
    found: a.found + b.found,
    spurious: a.spurious + b.spurious,
    worst: Math.max(a.worst, b.worst),
  }));

/** Published methods, with the same smallest change. */
const METHODS: Readonly<Record<string, (readings: readonly FuelSample[]) => readonly FuelChange[]>> = {
  'this detector': (readings) => detect(readings).ended,
  'difference of two readings': byDifference,
  'median of five, ten minutes': byMedian,
  'Kalman filter and CUSUM': byCusum,
};

describe('simulated tanks', () => {
  test.each(Object.entries(scenarios))('%s', (name, simulate) => {
    const runs = Array.from({ length: SEEDS }, (_, seed) => simulate(seed + 1));
    for (const [method, find] of Object.entries(METHODS)) {
      const sum = total(runs.map(({ readings, events }) => score(method, find(readings), events)));
      if (process.env['FLEETGATE_PRINT_FUEL'] !== undefined) console.log(name, JSON.stringify(sum));
      if (find !== METHODS['this detector']) continue;
      expect(sum).toMatchObject({ found: sum.events, spurious: 0 });
      expect(sum.worst).toBeLessThan(10);
    }
  });
  test('a theft is known with the first report that shows it', () => {
    const { readings, events } = scenarios['overnight theft of 70 l, hourly reports']!(1);
    const [shown] = detect(readings).shown;
    expect(shown!.with).toBe(readings.find(({ at }) => at >= events[0]!.to)!.at);
    expect(Math.abs(shown!.amount - 70)).toBeLessThan(2);
    // 15 l of 40 l, while it goes on
    const slow = scenarios['40 l siphoned over 2 h']!(1);
    const first = detect(slow.readings).shown[0]!;
    expect(first.with - slow.events[0]!.from).toBeLessThan(45 * MINUTE);
  });
  test('state is plain JSON, and followed on from any reading', () => {
    const { readings } = scenarios['refuelled and drained at one stop']!(3);
    let [one, other]: (FuelState | undefined)[] = [undefined, undefined];
    for (const reading of readings) {
      one = followFuel(one, reading, OPTIONS).state;
      other = followFuel(other, reading, OPTIONS).state;
      other = JSON.parse(JSON.stringify(other)) as FuelState;
      expect(JSON.stringify(other)).toBe(JSON.stringify(one));
    }
    expect(JSON.stringify(one).length).toBeLessThan(2_000);
  });
});

describe('a tank', () => {
  const at = (minute: number, level: number, over: Partial<FuelSample> = {}): FuelSample => ({
    at: START + minute * MINUTE,
    level,
    latitude: 45,
    longitude: 9,
    speed: 0,
    ignition: false,
    ...over,
  });
  const changes = (readings: readonly FuelSample[]) =>
    detect(readings).ended.map(({ kind, shownAt, amount }) => [kind, (shownAt - START) / MINUTE, Math.round(amount)]);

  test('whose sensor reports 0 while the ignition is off is not drained', () => {
    const off = [2, 3, 4].map((n) => at(n, 0));
    expect(changes([at(0, 100), at(1, 100), ...off, at(5, 99), at(6, 99)])).toEqual([]);
  });
  test('that is empty for longer is', () => {
    const empty = Array.from({ length: 12 }, (_, n) => at(2 + n, 0));
    expect(changes([at(0, 100), at(1, 100), ...empty])).toEqual([['drain', expect.any(Number), 100]]);
  });
  test('of which one reading is wrong has not changed', () => {
    expect(changes([100, 100, 40, 100, 100, 180, 100, 100].map((level, n) => at(n, level)))).toEqual([]);
  });
  test('cools down over a night', () => {
    expect(changes(Array.from({ length: 13 }, (_, n) => at(n * 60, 400 - 0.5 * n)))).toEqual([]);
  });
  test('is refuelled or drained while the device is silent', () => {
    const before = Array.from({ length: 5 }, (_, n) => at(n, 70));
    expect(changes([...before, at(500, 120), at(501, 120)])).toEqual([['refuel', 500, 50]]);
    expect(changes([...before, at(500, 30), at(501, 30)])).toEqual([['drain', 500, 40]]);
    // 300 km away
    const far = at(500, 10, { latitude: 47.7 });
    expect(changes([...before, far, at(501, 10, { latitude: 47.7 })])).toEqual([]);
  });
});

test('a table makes litres of readings', () => {
  const table = [
    [0, 0],
    [500, 20],
    [1000, 60],
  ] as const;
  expect([-5, 0, 250, 500, 750, 1000, 2000].map((reading) => calibrate(table, reading))).toEqual([
    0, 0, 10, 20, 40, 60, 60,
  ]);
});

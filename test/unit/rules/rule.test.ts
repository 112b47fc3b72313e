import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commandEnded,
  compile,
  difference,
  type Episode,
  episodesOf,
  type Fix,
  type KnownEpisode,
  NOTHING_KNOWN,
  type Rule,
  silentSince,
} from '../../../src/server/alerts/rules/index.ts';

const START = Date.parse('2026-06-01T10:00:00Z');
const fix = (
  s: number,
  over: Partial<Omit<Fix, 'attributes'>> = {},
  attributes: Record<string, unknown> = {},
): Fix => ({
  at: START + s * 1_000,
  id: '',
  valid: true,
  outdated: false,
  latitude: 41.9,
  longitude: 12.5,
  speed: 0,
  course: 0,
  ignition: undefined,
  ...over,
  mentions: (name) => Object.hasOwn(attributes, name),
  attributes: () => attributes,
});
const rule = (type: Rule['type'], over: Partial<Rule> = {}): Rule => ({
  type,
  zone: 'UTC',
  hours: undefined,
  cooldownSeconds: 0,
  params: {},
  areas: [],
  ...over,
});

/** What is notified of all reports: kind and s after the start. */
const run = (of: Rule, fixes: readonly Fix[]): (readonly ['alarm', number])[] =>
  episodesOf(compile(of), fixes).map(({ from }) => ['alarm', (from - START) / 1_000]);

const speeds = (...list: readonly (readonly [number, number])[]): Fix[] => list.map(([s, speed]) => fix(s, { speed }));
const over90 = rule('overspeed', { params: { limitKmh: 90, clearSeconds: 0 } });

describe('a judgement', () => {
  test('is carried on from any report to the same end', () => {
    const speed = fc.constantFrom(0, 80, 88, 95, 120);
    const list = fc.array(fc.record({ s: fc.integer({ min: 0, max: 20_000 }), speed }), {
      minLength: 1,
      maxLength: 40,
    });
    const params = fc.record({ dwellSeconds: fc.constantFrom(0, 60), clearSeconds: fc.constantFrom(0, 30, 300) });
    fc.assert(
      fc.property(list, params, fc.constantFrom(0, 600), fc.nat({ max: 40 }), (reports, some, cooldownSeconds, cut) => {
        const sorted = [...reports].sort((a, b) => a.s - b.s).map(({ s, speed: at }) => fix(s, { speed: at }));
        const evaluation = compile(rule('overspeed', { cooldownSeconds, params: { limitKmh: 90, ...some } }));
        const whole = evaluation.judge(undefined);
        for (const each of sorted) whole.next(each);
        const first = evaluation.judge(undefined);
        for (const each of sorted.slice(0, cut)) first.next(each);
        // plain JSON, as it is kept
        const kept = cut === 0 ? undefined : JSON.parse(JSON.stringify(first.judgement()));
        const second = evaluation.judge(kept);
        for (const each of sorted.slice(cut)) second.next(each);
        const starts = (episodes: readonly Episode[]): number[] => episodes.map(({ from }) => from);
        expect([...starts(first.notified), ...starts(second.notified)]).toEqual(starts(whole.notified));
        expect(second.judgement()).toEqual(whole.judgement());
      }),
    );
  });
});

describe('overspeed', () => {
  test('is notified once, with the greatest speed that was known', () => {
    expect(run(over90, speeds([0, 80], [10, 95], [20, 110], [30, 96], [40, 80]))).toEqual([['alarm', 10]]);
  });
  test('does not alternate near the limit', () => {
    expect(run(over90, speeds([0, 91], [10, 89], [20, 91], [30, 88], [40, 91]))).toEqual([['alarm', 0]]);
    expect(run(over90, speeds([0, 91], [10, 87], [20, 91]))).toEqual([
      ['alarm', 0],
      ['alarm', 20],
    ]);
  });
  test('must last where that is asked for', () => {
    const lasting = rule('overspeed', { params: { limitKmh: 90, dwellSeconds: 30, clearSeconds: 0 } });
    expect(run(lasting, speeds([0, 95], [29, 95], [31, 80]))).toEqual([]);
    expect(run(lasting, speeds([0, 95], [10, 95], [30, 95], [40, 95]))).toEqual([['alarm', 0]]);
  });
  test('uses the speed limit of the road where the device reports it', () => {
    const road = rule('overspeed', { params: { useRoadLimit: true } });
    expect(run(road, [fix(0, { speed: 60 }, { speedLimit: 50 })])).toEqual([['alarm', 0]]);
    expect(run(road, [fix(0, { speed: 60 })])).toEqual([]);
  });
  test('is of fixes that hold', () => {
    expect(run(over90, [fix(0, { speed: 120, valid: false }), fix(1, { speed: 120, outdated: true })])).toEqual([]);
  });
  test('is notified in its hours alone', () => {
    const morning = rule('overspeed', { ...over90, hours: { monday: { min: 8, max: 9, all_day: false } } });
    expect(run(morning, speeds([0, 120]))).toEqual([]);
    expect(run(morning, speeds([-5_400, 120]))).toEqual([['alarm', -5_400]]);
  });
  test('is not notified again while it cools down', () => {
    const cool = rule('overspeed', { ...over90, cooldownSeconds: 60 });
    expect(run(cool, speeds([0, 95], [10, 80], [20, 95], [30, 80], [70, 95]))).toEqual([
      ['alarm', 0],
      ['alarm', 70],
    ]);
  });
});

describe('the difference to what was notified', () => {
  const episode = (from: number, to: number): Episode => ({ from, to, status: 'notified' });
  const known = (key: string, from: number, to: number, over: Partial<KnownEpisode> = {}): KnownEpisode => ({
    key,
    area: 0,
    from,
    to,
    corrections: 0,
    isWithdrawn: false,
    ...over,
  });
  const eventsOf = (found: readonly Episode[], before: readonly KnownEpisode[]) =>
    difference(found, before, () => true).events.map(({ kind, key, at, corrects }) => [kind, key, at, corrects]);

  test('is empty if nothing has changed', () => {
    expect(difference([episode(10, 20)], [known('10', 10, 20)], () => true)).toEqual({ events: [], episodes: [] });
  });
  test('is an end that is known now, without a message', () => {
    const { events, episodes } = difference([episode(10, 15)], [known('10', 10, 20)], () => true);
    expect(events).toEqual([]);
    expect(episodes).toEqual([known('10', 10, 15)]);
  });
  test('is an earlier start', () => {
    expect(eventsOf([episode(5, 20)], [known('10', 10, 20)])).toEqual([['moved', '10.1', 5, '10']]);
  });
  test('is one episode in place of two', () => {
    expect(eventsOf([episode(10, 50)], [known('10', 10, 20), known('40', 40, 50)])).toEqual([
      ['withdrawn', '40.1', 40, '40'],
    ]);
  });
  test('is two episodes in place of one, each with a key of its own', () => {
    expect(eventsOf([episode(10, 12), episode(20, 30)], [known('20', 10, 30, { corrections: 1 })])).toEqual([
      ['moved', '20.2', 20, '20'],
      ['alarm', '10', 10, undefined],
    ]);
  });
  test('restores an episode that was withdrawn', () => {
    const withdrawn = known('10', 10, 20, { corrections: 1, isWithdrawn: true });
    expect(eventsOf([episode(10, 20)], [withdrawn])).toEqual([['moved', '10.2', 10, '10']]);
  });
  test('does not change episodes of other times', () => {
    expect(difference([], [known('10', 10, 20)], (from) => from > 50).events).toEqual([]);
  });
});

describe('geofences', () => {
  const square = {
    type: 'polygon',
    coordinates: [
      [12, 41],
      [13, 41],
      [13, 42],
      [12, 42],
      [12, 41],
    ],
  } as const;
  const at = (s: number, longitude: number) => fix(s, { latitude: 41.5, longitude });
  const enter = rule('geofence_enter', { areas: [square] });
  const exit = rule('geofence_exit', { areas: [square] });
  test('are entered and left once, not at their edge', () => {
    // 0.0001 degrees are 8 m here
    const way = [
      at(0, 11.9),
      at(60, 12.1),
      at(120, 12.0001),
      at(180, 11.9999),
      at(240, 12.0001),
      at(600, 11.9),
      at(900, 12.1),
    ];
    expect(run(enter, way)).toEqual([
      ['alarm', 60],
      ['alarm', 900],
    ]);
    expect(run(exit, way)).toEqual([['alarm', 600]]);
  });
  test('are not entered by a vehicle that was already inside', () => {
    expect(run(enter, [at(0, 12.5), at(60, 12.6)])).toEqual([]);
    expect(run(exit, [at(0, 11.5), at(60, 11.6)])).toEqual([]);
  });
  test('count when the vehicle has stayed', () => {
    const staying = rule('geofence_enter', { areas: [square], params: { dwellSeconds: 120 } });
    expect(run(staying, [at(0, 11.9), at(60, 12.1), at(120, 11.9)])).toEqual([]);
    expect(run(staying, [at(0, 11.9), at(60, 12.1), at(180, 12.1)])).toEqual([['alarm', 60]]);
  });
  test('may be circles', () => {
    const circle = { type: 'circle', center: [12.5, 41.5], radiusM: 1_000 } as const;
    expect(run(rule('geofence_enter', { areas: [circle] }), [at(0, 12.52), at(60, 12.505)])).toEqual([['alarm', 60]]);
  });
  test('may lie across the antimeridian', () => {
    const pacific = {
      type: 'polygon',
      coordinates: [
        [179, 41],
        [-179, 41],
        [-179, 42],
        [179, 42],
        [179, 41],
      ],
    } as const;
    expect(run(rule('geofence_enter', { areas: [pacific] }), [at(0, 178), at(60, 179.5), at(120, -179.5)])).toEqual([
      ['alarm', 60],
    ]);
  });
});

describe('several geofences', () => {
  const around = (longitude: number, radiusM: number) =>
    ({ type: 'circle', center: [longitude, 41.5], radiusM }) as const;
  const at = (s: number, longitude: number) => fix(s, { latitude: 41.5, longitude });
  // a depot, a part of it, and a zone 8 km from it
  const areas = [around(12.5, 1_000), around(12.6, 1_000), around(12.5, 200)];
  const events = (type: Rule['type'], fixes: readonly Fix[], over: Partial<Rule> = {}) =>
    episodesOf(compile(rule(type, { areas, ...over })), fixes).map(({ from, area }) => [(from - START) / 1_000, area]);

  test('are each entered and left when a vehicle goes from one to the other between two fixes', () => {
    const way = [at(0, 12.4), at(600, 12.5), at(1_300, 12.6), at(2_000, 12.7)];
    expect(events('geofence_enter', way)).toEqual([
      [600, 0],
      [600, 2],
      [1_300, 1],
    ]);
    expect(events('geofence_exit', way)).toEqual([
      [1_300, 0],
      [1_300, 2],
      [2_000, 1],
    ]);
  });
  test('count when one lies inside of the other', () => {
    const way = [at(0, 12.508), at(60, 12.5), at(120, 12.508), at(180, 12.508)];
    expect(events('geofence_enter', way)).toEqual([[60, 2]]);
    expect(events('geofence_exit', way)).toEqual([[120, 2]]);
  });
  test('are each left where the path leaves them', () => {
    const way = [at(0, 12.45), at(100, 12.65)];
    const [first, second, third] = events('geofence_exit', way);
    expect([first![1], second![1], third![1]]).toEqual([0, 1, 2]);
    expect(first![0]).toBeCloseTo(31, 0);
    expect(second![0]).toBeCloseTo(81, 0);
    expect(events('geofence_enter', way).map(([, area]) => area)).toEqual([0, 1, 2]);
  });
  test('that are crossed between two fixes give an exit for each entry, however short', () => {
    const way = [at(0, 12.45), at(40, 12.55), at(60, 12.55), at(100, 12.45), at(130, 12.45)];
    expect(events('geofence_enter', way)).toHaveLength(4);
    expect(events('geofence_exit', way)).toHaveLength(4);
  });
  test('have each a speed limit', () => {
    const fast = (s: number, longitude: number) => fix(s, { latitude: 41.5, longitude, speed: 90 });
    const params = { limitKmh: 50 };
    expect(events('geofence_speed', [fast(0, 12.5), fast(300, 12.6)], { params })).toEqual([
      [0, 0],
      [0, 2],
      [300, 1],
    ]);
  });
  test('have each their cool-down, and are carried on as JSON', () => {
    const evaluation = compile(rule('geofence_enter', { areas, cooldownSeconds: 3_600 }));
    const way = [at(0, 12.4), at(600, 12.5), at(1_300, 12.6), at(2_000, 12.5), at(2_600, 12.6)];
    const found: unknown[] = [];
    let kept: ReturnType<ReturnType<typeof evaluation.judge>['judgement']> | undefined;
    for (const each of way) {
      const judge = evaluation.judge(kept);
      judge.next(each);
      found.push(...judge.notified.map(({ from, area }) => [(from - START) / 1_000, area]));
      kept = JSON.parse(JSON.stringify(judge.judgement()));
    }
    expect(found).toEqual([
      [600, 0],
      [600, 2],
      [1_300, 1],
    ]);
  });
});

describe('other types', () => {
  test('use outside of the hours is notified once a trip', () => {
    const night = rule('unauthorized_use', { hours: { monday: { min: 6, max: 11, all_day: false } } });
    // it is 10:00 on a Monday
    expect(run(night, speeds([0, 50], [3_590, 50], [3_600, 50], [3_660, 0], [3_720, 50], [4_000, 0]))).toEqual([
      ['alarm', 3_600],
    ]);
    expect(run(rule('unauthorized_use', { hours: {} }), speeds([0, 3], [1, 40]))).toEqual([['alarm', 1]]);
  });
  test('ignition is notified when it changes', () => {
    const list = [false, true, true, false].map((ignition, n) => fix(n * 10, { ignition }));
    expect(run(rule('ignition_on'), list)).toEqual([['alarm', 10]]);
    expect(run(rule('ignition_off'), list)).toEqual([['alarm', 30]]);
  });
  test('a tow is movement without ignition, or what the device calls one', () => {
    const moving = (s: number, ignition: boolean) => fix(s, { speed: 20, ignition });
    expect(run(rule('tow'), [moving(0, false), moving(5, false)])).toEqual([]);
    expect(run(rule('tow'), [moving(0, false), moving(15, false)])).toEqual([['alarm', 0]]);
    expect(run(rule('tow'), [moving(0, true), moving(15, true)])).toEqual([]);
    expect(run(rule('tow'), [fix(0, {}, { alarm: 'vibration,tow' })])).toEqual([['alarm', 0]]);
  });
  test('a tow is judged by the ignition that was last reported', () => {
    const moving = [fix(86_400, { speed: 20 }), fix(86_415, { speed: 20 })];
    expect(run(rule('tow'), [fix(0, { ignition: false }), ...moving])).toEqual([['alarm', 86_400]]);
    expect(run(rule('tow'), [fix(0, { ignition: false }), fix(10, { ignition: true }), ...moving])).toEqual([]);
    expect(run(rule('tow'), moving)).toEqual([]);
  });
  test('idling is judged where ignition and place come in different reports', () => {
    const status = (s: number, ignition: boolean) =>
      fix(s, { ignition, valid: false, outdated: true, latitude: undefined, longitude: undefined, speed: undefined });
    const standing = [60, 120, 180, 240, 300, 360].map((s) => fix(s));
    expect(run(rule('idling'), [status(0, true), ...standing])).toEqual([['alarm', 60]]);
    expect(run(rule('idling'), [fix(0), status(30, true), status(200, true), status(340, true)])).toEqual([
      ['alarm', 30],
    ]);
    expect(run(rule('idling'), [status(0, true), ...standing.slice(0, 2), status(150, false), ...standing])).toEqual(
      [],
    );
    expect(run(rule('idling'), [status(0, true), ...standing.map((each) => ({ ...each, speed: 40 }))])).toEqual([]);
    expect(run(rule('idling'), standing)).toEqual([]);
  });
  test('temperatures are judged together where each sensor has reports of its own', () => {
    const cold = rule('temperature', { params: { maxTemperature: -10, clearSeconds: 0 } });
    const reports = [
      fix(0, {}, { temp1: -5 }),
      fix(10, {}, { temp2: -18 }),
      fix(20, {}, { temp1: -5 }),
      fix(30, {}, { temp1: -12 }),
      fix(40, {}, { temp2: -5 }),
    ];
    expect(run(cold, reports)).toEqual([
      ['alarm', 0],
      ['alarm', 40],
    ]);
  });
  test('what was known when the rule was made counts, and is not notified itself', () => {
    const known = fix(-3_600, { ignition: true });
    const startsOf = (of: Rule, ...fixes: readonly Fix[]) => {
      const judge = compile(of).judge(undefined, null, { known, since: START });
      for (const each of fixes) judge.next(each);
      return judge.notified.map(({ from }) => (from - START) / 1_000);
    };
    expect(startsOf(rule('idling'), fix(0), fix(300))).toEqual([0]);
    expect(startsOf(rule('ignition_off'), fix(10, { ignition: false }))).toEqual([10]);
    expect(startsOf(rule('ignition_on'), fix(10, { ignition: true }))).toEqual([]);
    const area = { type: 'circle', center: [12.6, 41.9], radiusM: 500 } as const;
    expect(startsOf(rule('geofence_enter', { areas: [area] }), fix(10, { longitude: 12.6 }))).toEqual([10]);
  });
  test('an SOS is notified each time, and its repeats are not', () => {
    const sos = (s: number) => fix(s, {}, { alarm: 'sos' });
    expect(run(rule('sos'), [sos(0), sos(10), fix(20), sos(30), sos(300)])).toEqual([
      ['alarm', 0],
      ['alarm', 300],
    ]);
    expect(run(rule('sos'), [fix(0, {}, { alarm: 'sosTest' })])).toEqual([]);
  });
  test('power and battery are read, or reported by the device', () => {
    expect(
      run(rule('power_cut'), [fix(0, {}, { power: 12 }), fix(10, {}, { power: 0.1 }), fix(200, {}, { power: 12 })]),
    ).toEqual([['alarm', 10]]);
    expect(run(rule('power_cut'), [fix(0, {}, { alarm: 'powerCut' }), fix(10)])).toEqual([['alarm', 0]]);
    const battery = (s: number, batteryLevel: number) => fix(s, {}, { batteryLevel });
    expect(run(rule('low_battery'), [battery(0, 30), battery(10, 19), battery(20, 22), battery(30, 19)])).toEqual([
      ['alarm', 10],
    ]);
  });
  test('fuel that goes or comes at once', () => {
    const fuel = (...levels: readonly number[]) => levels.map((level, n) => fix(n * 60, {}, { fuel: level }));
    expect(run(rule('fuel_drain'), fuel(100, 99, 99, 60, 60, 60))).toEqual([['alarm', 180]]);
    expect(run(rule('fuel_drain'), fuel(100, 99, 60, 99, 99))).toEqual([]);
    expect(run(rule('fuel_refill'), fuel(50, 50, 90, 91, 91))).toEqual([['alarm', 120]]);
    // driven: 800 m a minute
    const driven = Array.from({ length: 120 }, (_, n) =>
      fix(n * 60, { speed: 48, latitude: 41 + n / 139, ignition: true }, { fuel: 100 - n * 0.3 }),
    );
    expect(run(rule('fuel_drain'), driven)).toEqual([]);
  });
  test('overnight theft is notified with the first of hourly reports that shows it', () => {
    const hourly = [300, 300, 300, 230, 230].map((level, n) => fix(n * 3_600, { ignition: false }, { fuel: level }));
    expect(run(rule('fuel_drain'), hourly.slice(0, 4))).toEqual([['alarm', 10_800]]);
    expect(run(rule('fuel_drain'), hourly)).toEqual([['alarm', 10_800]]);
    const percent = [60, 60, 60, 40].map((level, n) => fix(n * 3_600, { ignition: false }, { fuelLevel: level }));
    const of = (tank: Parameters<typeof episodesOf>[2]) =>
      episodesOf(compile(rule('fuel_drain')), percent, tank).map(({ peak, unit }) => [peak, unit]);
    expect(of(null)).toEqual([[20, '%']]);
    expect(of({ litres: 400, source: null, calibration: [] })).toEqual([[80, 'l']]);
  });
  test('the amount of a drain that goes on is corrected when it is over', () => {
    const levels = [100, 100, 100, 88, 76, 64, 60, ...Array.from({ length: 30 }, () => 60)];
    const judge = compile(rule('fuel_drain', { params: { litres: 10 } })).judge(undefined);
    for (const [n, fuel] of levels.entries()) judge.next(fix(n * 60, { ignition: false }, { fuel }));
    expect(judge.decided).toHaveLength(1);
    const amounts = [...judge.decided, ...judge.amended].map(({ peak }) => peak);
    expect(amounts.at(-1)).toBeCloseTo(40, 0);
    const hourly = [300, 300, 300, 255, 240, 240, 240];
    const sparse = compile(rule('fuel_drain')).judge(undefined);
    for (const [n, fuel] of hourly.entries()) sparse.next(fix(n * 3_600, { ignition: false }, { fuel }));
    expect(sparse.decided.map(({ peak }) => peak)).toEqual([45]);
    expect(sparse.amended.map(({ peak }) => Math.round(peak!))).toEqual([60]);
  });
  test('maintenance is due once', () => {
    const due = rule('maintenance', { params: { odometerKm: 1_000 } });
    const metres = (s: number, odometer: number) => fix(s, {}, { odometer });
    expect(run(due, [metres(0, 999_000), metres(10, 1_000_000), metres(20, 1_001_000)])).toEqual([['alarm', 10]]);
  });
  test.each<[Rule['type'], Partial<Rule>, readonly Fix[]]>([
    ['ignition_on', {}, [fix(0, { ignition: false }), fix(20, { ignition: true })]],
    ['overspeed', { params: { limitKmh: 90, clearSeconds: 0 } }, [fix(0, { speed: 50 }), fix(20, { speed: 120 })]],
    ['unauthorized_use', { hours: {} }, [fix(0, { speed: 0 }), fix(20, { speed: 40 }), fix(60, { speed: 40 })]],
    [
      'tow',
      {},
      [fix(0, { ignition: false }), fix(20, { ignition: false, speed: 30 }), fix(90, { ignition: false, speed: 30 })],
    ],
    ['power_cut', {}, [fix(0, {}, { power: 12 }), fix(20, {}, { power: 0.1 }), fix(200, {}, { power: 0.1 })]],
    ['low_battery', {}, [fix(0, {}, { batteryLevel: 80 }), fix(20, {}, { batteryLevel: 10 })]],
    ['maintenance', { params: { odometerKm: 1 } }, [fix(0, {}, { odometer: 900 }), fix(20, {}, { odometer: 1_000 })]],
    ['maintenance', { params: { engineHours: 1 } }, [fix(0, {}, { hours: 60_000 }), fix(20, {}, { hours: 3_600_000 })]],
  ])('%s keeps what is known when heartbeats and answers to commands come between', (type, over, fixes) => {
    const between = (s: number, attributes: Record<string, unknown>): Fix =>
      fix(s, { valid: false, outdated: true, latitude: undefined, longitude: undefined, speed: undefined }, attributes);
    const others = fixes.flatMap(({ at }) => {
      const s = (at - START) / 1_000;
      return [between(s + 1, { type: 6, result: 'OK' }), between(s + 2, {})];
    });
    const all = [...fixes, ...others].sort((a, b) => a.at - b.at);
    const last = fixes.at(-1)!;
    // the last report comes again later, after further answers
    const repeated = { ...last, at: last.at + 10_000 };
    const expected = run(rule(type, over), [...fixes, repeated]);
    expect(expected.map(([kind]) => kind)).toEqual(['alarm']);
    expect(run(rule(type, over), [...all, repeated])).toEqual(expected);
  });
  test('silence is notified once, until the device was seen', () => {
    const params = { offlineSeconds: 600 };
    const first = silentSince(NOTHING_KNOWN, params, START, START + 599_999);
    expect(first.events).toEqual([]);
    const second = silentSince(first.state, params, START, START + 600_000);
    expect(second.events).toMatchObject([{ at: START + 600_000 }]);
    expect(silentSince(second.state, params, START, START + 900_000).events).toEqual([]);
    expect(silentSince(second.state, params, START + 700_000, START + 1_400_000).events).toHaveLength(1);
  });
  test('the end of a command is notified once, and corrected where it ends otherwise', () => {
    const ended = (state: string) => ({ id: 'cmd_1', state, at: START, detail: '' });
    expect(commandEnded(NOTHING_KNOWN, {}, ended('sent')).events).toEqual([]);
    const failed = commandEnded(NOTHING_KNOWN, {}, ended('failed'));
    expect(failed.events).toMatchObject([{ kind: 'alarm', key: 'cmd_1' }]);
    expect(commandEnded(failed.state, {}, ended('failed')).events).toEqual([]);
    expect(commandEnded(failed.state, {}, ended('acknowledged')).events).toMatchObject([{ corrects: 'cmd_1' }]);
    expect(commandEnded(NOTHING_KNOWN, { states: ['failed'] }, ended('acknowledged')).events).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { compile, episodesOf, type Fix, type Rule } from '../../../src/server/alerts/rules/index.ts';

const START = Date.parse('2026-06-01T10:00:00Z');
const fix = (s: number, attributes: Record<string, unknown>, over: Partial<Fix> = {}): Fix => ({
  at: START + s * 1_000,
  id: '',
  valid: true,
  outdated: false,
  latitude: 41.9,
  longitude: 12.5,
  speed: 50,
  course: 0,
  ignition: true,
  mentions: (name) => Object.hasOwn(attributes, name),
  attributes: () => attributes,
  ...over,
});
const rule = (type: Rule['type'], params: Rule['params']): Rule => ({
  type,
  zone: 'UTC',
  hours: undefined,
  cooldownSeconds: 0,
  params,
  areas: [],
});
const starts = (of: Rule, fixes: readonly Fix[]): number[] =>
  episodesOf(compile(of), fixes).map(({ from }) => (from - START) / 1_000);

test('a driver is missing while the vehicle moves without a key since its start, or after a logout', () => {
  const missing = rule('driver_missing', { dwellSeconds: 60, clearSeconds: 0 });
  const key = { driverUniqueId: '00AB' };
  // the key is reported once after the start
  expect(starts(missing, [fix(0, key), fix(60, {}), fix(300, {})])).toEqual([]);
  expect(starts(missing, [fix(0, {}), fix(30, key), fix(300, {})])).toEqual([]);
  expect(starts(missing, [fix(0, {}), fix(90, {})])).toEqual([0]);
  expect(
    starts(missing, [fix(0, key), fix(60, {}, { ignition: false, speed: 0 }), fix(120, {}), fix(200, {})]),
  ).toEqual([120]);
  expect(starts(missing, [fix(0, key), fix(60, { driverUniqueId: '00000000' }), fix(200, {})])).toEqual([60]);
});

test('a sensor is outside of its range until it is back by the hysteresis', () => {
  const cold = rule('sensor', { sensor: 'Reefer', below: -25, above: -15, hysteresis: 2, clearSeconds: 0 });
  const of = (...values: readonly number[]): Fix[] => values.map((value, n) => fix(60 * n, { Reefer: value }));
  expect(starts(cold, of(-20, -14, -16, -14, -17, -14.5))).toEqual([60, 300]);
  expect(starts(cold, of(-20, -26))).toEqual([60]);
  expect(starts(cold, [fix(0, { reefer: 10 })])).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { setDeviceNamed } from '../../../src/codec/index.ts';
import { attributeProblem, unitProblem } from '../../../src/contract/telemetry/vocabulary.ts';

describe('attributes', () => {
  it.each([
    ['in1', true],
    ['in1', 1],
    ['out2', 0],
    ['adc1', '0000'],
    ['temp1', '0000'],
    ['input', '241'],
    ['output', 3],
    ['gps', false],
    ['gps', 'Off'],
    ['operator', 'TELCEL'],
  ])('%s may be %j, as devices report it', (key, value) => {
    expect(attributeProblem(key, value)).toBeUndefined();
  });

  it.each([
    ['in1', 'on'],
    ['ignition', 1],
    ['engineLoad', '12%'],
    ['batteryLevel', '90'],
    ['temp1', true],
  ])('%s may not be %j', (key, value) => {
    expect(attributeProblem(key, value)).toContain(key);
  });

  it('take one further form where the protocol’s facts say so, for that key alone', () => {
    const facts = { reportedAs: { engineLoad: 'string', armed: 'number' } } as const;
    expect(attributeProblem('engineLoad', '12%', facts)).toBeUndefined();
    expect(attributeProblem('engineLoad', 12, facts)).toBeUndefined();
    expect(attributeProblem('armed', 8, facts)).toBeUndefined();
    expect(attributeProblem('throttle', '12%', facts)).toContain('throttle');
    expect(attributeProblem('engineLoad', true, facts)).toContain('engineLoad');
  });

  it('have bounds where they are numbers', () => {
    expect(unitProblem('temp1', -300)).toContain('temp1');
    expect(unitProblem('temp1', '-300')).toBeUndefined();
  });
});

describe('names of the device’s own', () => {
  const names = ['can_fls', 'ain#1', 'alarm.mode.status', 'батарея', 'VIN', '_x', 'a-b'];
  const noNames = ['', '1a', 'a b', 'a"b', 'a\u0000', 'x'.repeat(65), '-a'];

  it.each(names)('%s is one where the protocol has such names, and not elsewhere', (key) => {
    expect(attributeProblem(key, 1, { deviceNamedKeys: true })).toBeUndefined();
    expect(attributeProblem(key, 1)).toContain('camelCase');
    const attributes = {};
    expect(setDeviceNamed(attributes, key, 1)).toBe(true);
    expect(attributes).toEqual({ [key]: 1 });
  });

  it.each(noNames)('%j is not a name', (key) => {
    expect(attributeProblem(key, 1, { deviceNamedKeys: true })).toBeDefined();
    const attributes = {};
    expect(setDeviceNamed(attributes, key, 1)).toBe(false);
    expect(attributes).toEqual({});
  });

  it('do not change the prototype', () => {
    const attributes = {};
    expect(setDeviceNamed(attributes, '__proto__', 'x')).toBe(false);
    expect(Object.hasOwn(attributes, '__proto__')).toBe(false);
    expect(setDeviceNamed(attributes, 'constructor', 'x')).toBe(true);
    expect(Object.entries(attributes)).toEqual([['constructor', 'x']]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  type Attributes,
  addAlarm,
  CodecError,
  degreesFromDdmm,
  positionOf,
  readOptional,
  setIfPresent,
  statusPosition,
} from '#codec';

const fix = { time: 1_700_000_000_000, valid: true, latitude: 48.1, longitude: 11.6 };

describe('positions', () => {
  it('have the fields of a fix, and neither altitude nor speed nor course if it was not sent', () => {
    expect(positionOf(fix, {})).toEqual({
      type: 'position',
      deviceTime: fix.time,
      fixTime: fix.time,
      valid: true,
      latitude: 48.1,
      longitude: 11.6,
      attributes: {},
    });
    expect(positionOf({ ...fix, course: 361, accuracy: 5, deviceTime: fix.time + 1 }, {})).toMatchObject({
      course: 1,
      accuracy: 5,
      deviceTime: fix.time + 1,
    });
    expect(positionOf({ ...fix, course: -90 }, {}).course).toBe(270);
  });

  it('keep a zero that was sent', () => {
    const position = positionOf({ ...fix, altitude: 0, speed: 0, course: 0 }, {});
    expect(position).toMatchObject({ altitude: 0, speed: 0, course: 0 });
    expect(positionOf({ ...fix, speed: Number.NaN }, {})).not.toHaveProperty('speed');
  });

  it.each([
    [{ latitude: 90.1 }, { rawLatitude: 90.1, rawLongitude: 11.6 }],
    [{ longitude: -180.1 }, { rawLatitude: 48.1, rawLongitude: -180.1 }],
    [{ longitude: Number.NaN }, { rawLatitude: 48.1 }],
  ])('off the globe are records without a fix: %j', (place, attributes) => {
    const position = { type: 'position', deviceTime: fix.time, valid: false, outdated: true, attributes };
    expect(positionOf({ ...fix, ...place, accuracy: 3 }, {})).toEqual(position);
  });

  it.each([Number.NaN, 0, Date.UTC(2000, 0, 1), Date.UTC(10_000, 0, 1)])(
    'are not valid at a time that no clock shows: %s',
    (time) => {
      expect(positionOf({ ...fix, time, valid: true }, {})).toMatchObject({
        valid: false,
        latitude: fix.latitude,
        longitude: fix.longitude,
      });
      expect(positionOf({ ...fix, time, valid: true }, {})).not.toHaveProperty('fixTime');
    },
  );

  it('leave out absent values', () => {
    expect(statusPosition({}, Number.NaN, { cells: [] })).toEqual({
      type: 'position',
      valid: false,
      outdated: true,
      attributes: {},
    });
    const cell = { mcc: 262, mnc: 1, lac: 2, cid: 3 };
    expect(statusPosition({}, fix.time, { cells: [cell] })).toMatchObject({
      deviceTime: fix.time,
      network: { cells: [cell] },
    });
  });
});

describe('attributes', () => {
  it('list alarms, each once', () => {
    const attributes: Attributes = {};
    for (const alarm of ['sos', undefined, 'tow', 'sos']) addAlarm(attributes, alarm);
    expect(attributes).toEqual({ alarm: 'sos,tow' });
  });

  it('are set where there is a value', () => {
    const attributes: Attributes = {};
    setIfPresent(attributes, 'sat', undefined);
    setIfPresent(attributes, 'index', 0);
    expect(attributes).toEqual({ index: 0 });
  });
});

it('degrees and minutes in one number', () => {
  expect(degreesFromDdmm(4807.5)).toBeCloseTo(48.125, 12);
  expect(degreesFromDdmm(-1130.6)).toBeCloseTo(-11.51, 12);
});

it('a tail may end early, but bugs are not hidden', () => {
  const read: number[] = [];
  readOptional(() => {
    read.push(1);
    throw new CodecError('truncated', 'no more');
  });
  expect(read).toEqual([1]);
  expect(() =>
    readOptional(() => {
      throw new TypeError('a bug');
    }),
  ).toThrow(TypeError);
});

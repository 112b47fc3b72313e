import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Draft, degreesFromMinutes, KNOT_KMH, ninePlaces, positionOf } from '#codec';
import { withoutRoundingError } from '../../../src/codec/rounding.ts';

/** The double that is nearest to `integer` · 10^-places, by the decimal parser of the language. */
const decimal = (integer: number, places: number): number => Number(`${integer}e-${places}`);

describe('rounding errors', () => {
  it('a scaled integer is the decimal number that the device sent', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4e8, max: 4e8 }), fc.integer({ min: 1, max: 6 }), (raw, places) => {
        expect(withoutRoundingError(raw * decimal(1, places))).toBe(decimal(raw, places) + 0);
      }),
    );
  });

  it('a scaled integer with an offset is the decimal number that the device sent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: -273, max: 273 }), (raw, offset) => {
        expect(withoutRoundingError(raw * 0.1 + offset)).toBe(decimal(raw + 10 * offset, 1));
        expect(withoutRoundingError(raw * 0.01 + offset)).toBe(decimal(raw + 100 * offset, 2));
      }),
    );
  });

  it('doubles stay as they are', () => {
    // but for the few that differ from a decimal number of nine places by no more than arithmetic does
    const isNear = (value: number) => Math.abs(value * 1e9 - Math.round(value * 1e9)) < 1e-3;
    fc.assert(
      fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (value) => {
        fc.pre(!isNear(value));
        expect(withoutRoundingError(value)).toBe(value);
      }),
    );
  });

  it('what has no decimal form has nine places, and decimal numbers of nine stay as they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 179 }), fc.integer({ min: 0, max: 599_999 }), (degrees, minutes) => {
        const value = degreesFromMinutes(degrees, minutes / 10_000);
        expect(Number(value.toFixed(9))).toBe(value);
        expect(Math.abs(value - degrees - minutes / 600_000)).toBeLessThan(6e-10);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -9e8, max: 9e8 }), fc.integer({ min: 0, max: 9 }), (raw, places) => {
        expect(ninePlaces(decimal(raw, places))).toBe(decimal(raw, places) + 0);
      }),
    );
    for (const value of [2 ** 60 + 2 ** 10, 1e300, Number.NEGATIVE_INFINITY, Number.NaN])
      expect(ninePlaces(value)).toBe(value);
  });

  it('speeds in tenths of a knot have five places at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 65_535 }), (tenths) => {
        expect(withoutRoundingError((tenths / 10) * KNOT_KMH)).toBe(decimal(tenths * 1852, 4));
      }),
    );
  });

  it('floats of the device and decimals of up to nine places stay as they are', () => {
    fc.assert(fc.property(fc.float({ noNaN: true }), (value) => Object.is(withoutRoundingError(value), value)));
    fc.assert(
      fc.property(fc.integer({ min: -9e8, max: 9e8 }), fc.integer({ min: 0, max: 9 }), (raw, places) => {
        expect(withoutRoundingError(decimal(raw, places))).toBe(decimal(raw, places));
      }),
    );
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, 5e-324])
      expect(withoutRoundingError(value)).toBe(value);
  });

  it('positions have none, whichever way they are made', () => {
    const draft = new Draft({ fuelLevel: 442 * 0.1 });
    draft.setFix(1_700_000_000_000, true, 48.1, 11.6);
    draft.setMovement(3 * 0.1, 23 * 1.1, 7 * 0.1);
    draft.accuracy = 3 * 0.1;
    expect(draft.toPosition()).toMatchObject({
      altitude: 0.3,
      speed: 25.3,
      course: 0.7,
      accuracy: 0.3,
      attributes: { fuelLevel: 44.2 },
    });
    const fix = { time: 1_700_000_000_000, valid: true, latitude: 0.1 + 0.2, longitude: 11.6, speed: 3 * 0.1 };
    expect(positionOf(fix, { temp1: 3 * 0.1 })).toMatchObject({
      latitude: 0.3,
      speed: 0.3,
      attributes: { temp1: 0.3 },
    });
    expect(new Draft({ temp1: 3 * 0.1 }).toPosition().attributes).toEqual({ temp1: 0.3 });
  });
});

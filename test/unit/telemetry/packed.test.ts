import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position } from '#codec';
import { HEAD_BYTES, idOf, isPacked, packPosition, positionJson } from '../../../src/contract/telemetry/index.ts';

const time = fc.option(fc.integer({ min: 0, max: Date.UTC(9999, 0, 1) }), { nil: undefined });
const number = (min: number, max: number) =>
  fc.option(fc.oneof(fc.double({ min, max, noNaN: true }), fc.integer({ min, max })), { nil: undefined });
const value = fc.oneof(
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -9_999_999, max: 9_999_999 }).map((n) => n / 1000),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const position = fc.record({
  deviceTime: time,
  fixTime: time,
  valid: fc.boolean(),
  outdated: fc.constantFrom(true as const, undefined),
  latitude: number(-90, 90),
  longitude: number(-180, 180),
  altitude: number(-1_000, 1_000),
  speed: number(0, 300),
  course: number(0, 360),
  accuracy: number(0, 100),
  network: fc.option(fc.constant({ wifi: [{ mac: 'é:1', rssi: -70 }] }), { nil: undefined }),
  attributes: fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z0-9]{0,12}$/), value),
});

/** What JSON makes of it: nothing where nothing is, no negative zero. */
const plain = (of: object): Record<string, unknown> => JSON.parse(JSON.stringify(of));

describe('a packed position', () => {
  it('stays as it is while others are packed, of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 70_000 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        const packed = sizes.map((size, n) =>
          packPosition(`${n}`, 'x', { ...EMPTY, attributes: { a: 'é'.repeat(size) } }, n),
        );
        const texts = packed.map((bytes) => JSON.parse(positionJson(bytes)));
        expect(texts.map(({ imei, attributes }) => [imei, attributes.a.length])).toEqual(
          sizes.map((s, n) => [`${n}`, s]),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('has the same text as what was packed', () => {
    fc.assert(
      fc.property(position, time, (given, serverTime) => {
        const packed = packPosition(
          '356307042441013',
          'x',
          { type: 'position', ...given } as Position,
          serverTime ?? 0,
        );
        expect(isPacked(new DataView(packed.buffer, packed.byteOffset, packed.length), 0, packed.length)).toBe(true);
        const {
          id,
          serverTime: at,
          imei,
          deviceId,
          protocol,
          deviceTime,
          fixTime,
          ...rest
        } = JSON.parse(positionJson(packed));
        expect([id, imei, deviceId, protocol]).toEqual([idOf(packed), '356307042441013', '356307042441013', 'x']);
        expect(Date.parse(at)).toBe(serverTime ?? 0);
        expect(deviceTime && Date.parse(deviceTime)).toBe(given.deviceTime);
        expect(fixTime && Date.parse(fixTime)).toBe(given.fixTime);
        const { deviceTime: _, fixTime: __, ...expected } = given;
        expect(rest).toEqual(plain(expected));
      }),
      { numRuns: 500 },
    );
  });

  it('grows beyond the initial size of its buffer', () => {
    const attributes = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`key${i}`, 'é'.repeat(300)]));
    const packed = packPosition('1', 'x', { type: 'position', valid: false, outdated: true, attributes }, 0);
    expect(JSON.parse(positionJson(packed)).attributes).toEqual(attributes);
    expect(JSON.parse(positionJson(packPosition('1', 'x', { ...EMPTY, attributes: { a: 1 } }, 0))).attributes).toEqual({
      a: 1,
    });
  });

  it.each([
    ['another layout', (b: Buffer) => b.writeUInt8(2, 24)],
    ['a length that does not add up', (b: Buffer) => b.writeUInt32BE(b.readUInt32BE(100) + 1, 100)],
    ['a latitude off the globe', (b: Buffer) => b.writeDoubleBE(90.5, 44)],
    ['a longitude that is no number', (b: Buffer) => b.writeDoubleBE(Number.NaN, 52)],
    ['an infinite speed', (b: Buffer) => b.writeDoubleBE(Number.POSITIVE_INFINITY, 68)],
    ['a course that is no number', (b: Buffer) => b.writeDoubleBE(Number.NaN, 76)],
    ['a time after the year 9999', (b: Buffer) => b.writeDoubleBE(253_402_300_800_000, 36)],
    ['half a millisecond', (b: Buffer) => b.writeDoubleBE(0.5, 16)],
  ])('is invalid with %s', (_, damage) => {
    const packed = packPosition('1', 'x', { ...EMPTY, attributes: { a: 1 } }, 0);
    damage(packed);
    expect(isPacked(new DataView(packed.buffer, packed.byteOffset, packed.length), 0, packed.length)).toBe(false);
    expect(() => positionJson(packed)).toThrow(RangeError);
  });

  it('is invalid where it is truncated', () => {
    const packed = packPosition('1', 'x', EMPTY, 0);
    const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
    for (const end of [0, HEAD_BYTES - 1, HEAD_BYTES, packed.length - 1]) expect(isPacked(view, 0, end)).toBe(false);
  });
});

const EMPTY: Position = { type: 'position', valid: false, outdated: true, attributes: {} };

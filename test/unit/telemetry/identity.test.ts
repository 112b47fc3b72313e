import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position } from '#codec';
import { encodePosition, formatInstant } from '../../../src/contract/telemetry/index.ts';
import { normalise } from '../../../src/contract/telemetry/normalise.ts';

const fix: Position = {
  type: 'position',
  deviceTime: Date.UTC(2026, 10, 20, 8, 30, 1, 250),
  fixTime: Date.UTC(2026, 10, 20, 8, 30, 1, 250),
  valid: true,
  latitude: 41.9,
  longitude: 12.5,
  altitude: 20,
  speed: 54,
  course: 90,
  attributes: { ignition: true, sat: 9, event: 'a"b' },
};

describe('encoded position', () => {
  it('is the vocabulary as JSON', () => {
    const { id, json } = encodePosition('356307042441013', 'teltonika', fix, Date.UTC(2026, 10, 20, 8, 30, 2));
    expect(JSON.parse(json)).toEqual({
      id,
      imei: '356307042441013',
      deviceId: '356307042441013',
      protocol: 'teltonika',
      deviceTime: '2026-11-20T08:30:01.250Z',
      fixTime: '2026-11-20T08:30:01.250Z',
      serverTime: '2026-11-20T08:30:02Z',
      valid: true,
      latitude: 41.9,
      longitude: 12.5,
      altitude: 20,
      speed: 54,
      course: 90,
      attributes: { ignition: true, sat: 9, event: 'a"b' },
    });
    expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  it('has one id whenever it is received and however it is counted and flagged', () => {
    const id = (position: Position, at = 0) => encodePosition('1', 'x', position, at).id;
    expect(id({ ...fix, attributes: { index: 7, ...fix.attributes, archive: true } }, 99)).toBe(id(fix));
    expect(id({ ...fix, speed: 55 })).not.toBe(id(fix));
    expect(id({ ...fix, attributes: { ...fix.attributes, sat: 10 } })).not.toBe(id(fix));
    expect(encodePosition('2', 'x', fix, 0).id).not.toBe(id(fix));
  });

  it('has an id for each time at which it is received where it has no time of its own', () => {
    const { deviceTime: _, fixTime: __, ...status } = fix;
    const at = (serverTime: number) => encodePosition('1', 'x', status, serverTime);
    expect(at(1).id).toBe(at(1).id);
    expect(at(2).id).not.toBe(at(1).id);
    expect(JSON.parse(at(2).json)).not.toHaveProperty('deviceTime');
    expect(encodePosition('1', 'x', { ...status, deviceTime: 1 }, 1).id).not.toBe(at(1).id);
  });

  it('has the time and the device in its id, and a hash of what else it says', () => {
    const bytes = (imei: string, position: Position, at = 0) =>
      Buffer.from(encodePosition(imei, 'x', position, at).id, 'base64url');
    const { fixTime: _, ...unfixed } = fix;
    const { deviceTime, ...timeless } = unfixed;
    expect(bytes('1', fix).readUIntBE(10, 6)).toBe(fix.fixTime);
    expect(bytes('1', { ...fix, deviceTime: 5 }).readUIntBE(10, 6)).toBe(fix.fixTime);
    expect(bytes('1', unfixed).readUIntBE(10, 6)).toBe(deviceTime);
    expect(bytes('1', timeless, 7.5).readUIntBE(10, 6)).toBe(7);
    expect(bytes('1', { ...fix, fixTime: -1 }).readIntBE(10, 6)).toBe(-1);
    const device = (imei: string, position: Position) => bytes(imei, position).subarray(5, 10).toString('hex');
    expect(device('356307042441013', unfixed)).toBe(device('356307042441013', { ...fix, speed: 1 }));
    const many = Array.from({ length: 10_000 }, (_, n) => device(String(356307042441013 + n), fix));
    expect(new Set(many).size).toBe(many.length);
    const said = Array.from({ length: 10_000 }, (_, n) =>
      bytes('1', { ...fix, course: n })
        .subarray(0, 5)
        .toString('hex'),
    );
    expect(new Set(said).size).toBe(said.length);
  });

  it('keeps index and archive in the record', () => {
    const { json } = encodePosition('1', 'x', { ...fix, attributes: { index: 7, archive: true } }, 0);
    expect(JSON.parse(json).attributes).toEqual({ index: 7, archive: true });
  });

  it('formats any instant as the standard library does', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(9999, 11, 31) }), (at) => {
        expect(Date.parse(formatInstant(at))).toBe(at);
        expect(formatInstant(at).replace('.000Z', 'Z')).toBe(new Date(at).toISOString().replace('.000Z', 'Z'));
      }),
    );
  });
});

describe('normalise', () => {
  it('leaves a record in order as it is', () => {
    expect(normalise(fix)).toBe(fix);
  });

  it('keeps a record whose coordinates are not on the globe, without a fix', () => {
    const { latitude, longitude, ...rest } = normalise({ ...fix, latitude: 91.5, longitude: 12.5 });
    expect([latitude, longitude]).toEqual([undefined, undefined]);
    expect(rest).toMatchObject({ valid: false, outdated: true, deviceTime: fix.deviceTime });
    expect(rest.attributes).toMatchObject({ rawLatitude: 91.5, rawLongitude: 12.5, sat: 9 });
  });

  it('brings course into the circle, and drops what JSON cannot hold and times that no calendar has', () => {
    const odd = normalise({
      ...fix,
      course: -90,
      altitude: Number.NaN,
      fixTime: -1,
      attributes: { a: Number.POSITIVE_INFINITY, b: 1 },
    });
    expect(odd.course).toBe(270);
    expect('altitude' in odd).toBe(false);
    expect('fixTime' in odd).toBe(false);
    expect(odd.attributes).toEqual({ b: 1 });
  });
});

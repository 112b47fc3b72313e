import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position } from '#codec';
import { packPosition, positionJson } from '../../../src/contract/telemetry/index.ts';
import { batchOfRows } from '../../../src/server/ingest/batches/positions/batch.ts';
import { PackedPositions } from '../../../src/server/ingest/batches/positions/packed-batch.ts';
import { toRow } from '../../../src/server/ingest/batches/positions/row.ts';
import { recordLimits } from '../../support/settings.ts';

const { knownLimits } = recordLimits();

const NOW = Date.UTC(2026, 4, 1);
const often = <T>(usual: T, other: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, other);
const near = fc.integer({ min: -400, max: 400 }).map((s) => NOW + s * 1000);
const one = fc.record({
  device: fc.integer({ min: 1, max: 3 }),
  protocol: often('teltonika', fc.constant('h02')),
  serverTime: near,
  position: fc
    .record({
      deviceTime: fc.option(near, { nil: undefined }),
      fixTime: fc.option(near, { nil: undefined }),
      valid: often(true, fc.boolean()),
      outdated: often<true | undefined>(undefined, fc.constant(true)),
      latitude: often<number | undefined>(41.9, fc.constantFrom(0, undefined, -90)),
      longitude: often<number | undefined>(12.5, fc.constantFrom(0, undefined, 180)),
      altitude: often<number | undefined>(20, fc.constantFrom(undefined, -3.25)),
      speed: fc.constantFrom(0, 54, undefined),
      course: fc.constantFrom(0, 359.5, undefined),
      accuracy: often<number | undefined>(undefined, fc.constant(5)),
      network: often<Position['network']>(undefined, fc.constant({ wifi: [{ mac: 'a\u0000b' }] })),
      attributes: fc.record(
        {
          ignition: fc.constantFrom<boolean | number | string>(true, false, 1, 0, 2, 'x'),
          driver: fc.constantFrom('A.B', 'é"', 'a\u0000b', '\ud800', '1e20 \u001f'),
          power: fc.constant(12.601),
        },
        { requiredKeys: [] },
      ),
    })
    .map((given) => JSON.parse(JSON.stringify({ type: 'position', ...given })) as Position),
});
type One = typeof one extends fc.Arbitrary<infer T> ? T : never;

function packed(list: readonly One[]): PackedPositions {
  // something stands before and between them
  const parts = list.flatMap(({ device, protocol, position, serverTime }) => [
    Buffer.alloc(21, 0xff),
    packPosition(`${device}`, protocol, position, serverTime),
  ]);
  const starts: number[] = [];
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) starts.push(at);
    at += part.length;
  }
  const devices = list.map(({ device }) => ({ id: device, tenantId: device === 3 ? 2 : 1 }));
  return new PackedPositions(Buffer.concat(parts), starts, devices);
}

const rows = (list: readonly One[]) =>
  list.map(({ device, protocol, position, serverTime }) => {
    const text = positionJson(packPosition(`${device}`, protocol, position, serverTime));
    return toRow(JSON.parse(text), { id: device, tenantId: device === 3 ? 2 : 1 }, NOW);
  });

describe('packed positions', () => {
  it('are the rows, columns, newest and keys of the same as text', () => {
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (list) => {
        const given = packed(list);
        const expected = batchOfRows(rows(list));
        expect(given.rows()).toEqual(expected.rows());
        expect(given.newest(NOW, knownLimits)).toEqual(expected.newest(NOW, knownLimits));
        expect(given.keys()).toEqual(expected.keys());
        const byDevice = rows(list).sort((a, b) => a.deviceId - b.deviceId);
        expect(given.columns()).toEqual(batchOfRows(byDevice).columns());
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['valid, without a time', { valid: true }, NOW],
    [
      'not valid, at a time of the device',
      { valid: false, fixTime: NOW - 1_000, deviceTime: NOW - 1_000 },
      NOW - 1_000,
    ],
    ['not valid, without a time of the device', { valid: false }, undefined],
  ])('locate a device by a fix that is %s: %o', (_, given, locatedAt) => {
    const position: Position = { type: 'position', latitude: 41.9, longitude: 12.5, attributes: {}, ...given };
    const list = [{ device: 1, protocol: 'h02', position, serverTime: NOW }] as unknown as readonly One[];
    expect(packed(list).newest(NOW, knownLimits)[0]?.locatedAt).toBe(locatedAt);
    expect(batchOfRows(rows(list)).newest(NOW, knownLimits)[0]?.locatedAt).toBe(locatedAt);
  });
});

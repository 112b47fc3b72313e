import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as arrays from '../../../src/server/database/index.ts';
import { createPool } from '../../../src/server/database/pool.ts';
import { silent } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  pool = await withDatabase(async (url) => createPool({ database: { url }, name: 'test', max: 1 }, silent));
});
afterAll(async () => {
  await pool?.end();
  await dropDatabases();
});

const back = async (type: string, buffer: Buffer): Promise<unknown[]> => {
  const { rows } = await pool.query(`select v from unnest($1::${type}[]) with ordinality as t(v, n) order by n`, [
    buffer,
  ]);
  return rows.map(({ v }) => v);
};
const nullable = <T>(value: fc.Arbitrary<T>) => fc.array(fc.option(value), { maxLength: 50 });
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

test.each([
  ['int4', arrays.int4Array, fc.integer()],
  ['int8', arrays.int8Array, fc.maxSafeInteger()],
  ['float8', arrays.float8Array, fc.double({ noNaN: true, noDefaultInfinity: true }).map((v) => v + 0)],
  ['bool', arrays.boolArray, fc.boolean()],
  ['timestamptz', arrays.timestampArray, fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: LATEST })],
  ['text', arrays.textArray, fc.string({ unit: 'grapheme' }).map((t) => t.replaceAll('\0', ''))],
  ['json', arrays.jsonArray, fc.string().map((t) => JSON.stringify(t))],
  ['bytea', arrays.byteaArray, fc.uint8Array().map((b) => Buffer.from(b))],
] as const)('%s arrays are received unchanged', async (type, encode, value) => {
  await fc.assert(
    fc.asyncProperty(nullable(value as fc.Arbitrary<unknown>), async (values) => {
      const expected = type === 'json' ? values.map((v) => (v === null ? null : JSON.parse(v as string))) : values;
      expect(await back(type, (encode as (v: unknown[]) => Buffer)(values))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('names in base64url are decoded without loss', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{22}$/), { maxLength: 20 }), async (ids) => {
      const bytes = (await back('bytea', arrays.base64urlArray(ids, 22))) as Buffer[];
      expect(bytes.map((b) => b.toString('base64url').slice(0, 22))).toEqual(ids);
      expect(bytes.every((b) => b.length === 17)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

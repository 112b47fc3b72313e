import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeAvro } from '../../../src/server/live/brokers/avro/encode.ts';
import { canonicalForm, fingerprintOf } from '../../../src/server/live/brokers/avro/fingerprint.ts';
import { avroOf } from '../../../src/server/live/brokers/avro/message.ts';
import {
  eventSchema,
  positionSchema,
  type RecordSchema,
  type Schema,
} from '../../../src/server/live/brokers/avro/schema.ts';
import { retransmitted } from '../../support/retransmitted.ts';

const recordOf = (...types: Schema[]): RecordSchema => ({
  type: 'record',
  name: 'test',
  namespace: 'a',
  doc: '',
  fields: types.map((type, at) => ({ name: 'abcdef'[at]!, type })),
});
const hex = (type: Schema, value: string | number | boolean | null | readonly number[] | Record<string, number>) =>
  encodeAvro(recordOf(type), { a: value }).toString('hex');

describe('values', () => {
  // the examples of the specification of Avro 1.11, "Binary Encoding"
  test.each([
    [0, '00'],
    [-1, '01'],
    [1, '02'],
    [-2, '03'],
    [2, '04'],
    [-64, '7f'],
    [64, '8001'],
  ])('writes the long %i as the specification', (value, bytes) => {
    expect(hex('long', value)).toBe(bytes);
  });

  test('writes strings, records, arrays and unions as the specification', () => {
    expect(hex('string', 'foo')).toBe('06666f6f');
    expect(encodeAvro(recordOf('long', 'string'), { a: 27, b: 'foo' }).toString('hex')).toBe('3606666f6f');
    expect(hex({ type: 'array', items: 'long' }, [3, 27])).toBe('04063600');
    expect(hex(['null', 'string'], null)).toBe('00');
    expect(hex(['null', 'string'], 'a')).toBe('020261');
  });

  test('writes what the specification has no example of', () => {
    expect(hex('long', Number.MAX_SAFE_INTEGER)).toBe('feffffffffffff1f');
    expect(hex('long', Number.MIN_SAFE_INTEGER)).toBe('fdffffffffffff1f');
    expect(hex('double', 1)).toBe('000000000000f03f');
    expect(hex('boolean', true)).toBe('01');
    expect(hex({ type: 'array', items: 'long' }, [])).toBe('00');
    expect(hex({ type: 'map', values: 'long' }, { k: 1 })).toBe('02026b0200');
  });

  test.each([
    ['long', 0.5],
    ['string', 1],
    [['null', 'boolean'], 'x'],
  ] as const)('refuses a value that does not fit %j', (type, value) => {
    expect(() => hex(type, value)).toThrow('test.a does not fit its Avro schema');
  });
});

describe('the schemas', () => {
  test.each([
    ['position', positionSchema],
    ['event', eventSchema],
  ])('of docs/streams/%s.avsc are those that are used', (name, schema) => {
    const file = `docs/streams/${name}.avsc`;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
  });

  test('have fingerprints that do not depend on texts, but on fields', () => {
    const other = { ...eventSchema, doc: 'another text' };
    expect(fingerprintOf(other)).toBe(fingerprintOf(eventSchema));
    const [first, ...others] = eventSchema.fields;
    expect(fingerprintOf({ ...eventSchema, fields: [...others, first!] })).not.toBe(fingerprintOf(eventSchema));
    expect(canonicalForm(recordOf('long', ['null', { type: 'long', logicalType: 'timestamp-millis' }]))).toBe(
      '{"name":"a.test","type":"record","fields":[{"name":"a","type":"long"},{"name":"b","type":["null","long"]}]}',
    );
  });
});

test('an event that is not a position has its data as JSON', () => {
  const session = {
    ...retransmitted('a', {}),
    kind: 'session' as const,
    body: '{"data":{"state":"connected"}}',
    at: 1.5,
  };
  const { value, fingerprint } = avroOf(session);
  expect(fingerprint).toBe(fingerprintOf(eventSchema));
  expect(value.toString()).toContain('{"state":"connected"}');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatewayEvent } from '../../../src/contract/events.ts';
import { positionRecord } from '../../../src/contract/position.ts';
import { readJsonLines } from '../../../src/server/ingest/batches/json-lines.ts';
import { compileCheck } from '../../../src/server/kernel/http/checks.ts';

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const scalar = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean());
const odd = fc.oneof(
  scalar,
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
  fc.constant(Number.POSITIVE_INFINITY),
);
const time = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') })
    .map((d) => d.toISOString()),
  fc.constantFrom(
    '2024-02-29T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-01-01T00:00:00+02:00',
    '2024-01-01T24:00:00Z',
    '2024-01-01 00:00:00Z',
    '',
  ),
);
const coordinate = fc.oneof(fc.double({ min: -200, max: 200 }), odd);

const wild = fc
  .record({
    id: maybe(fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{22}$/), fc.string({ maxLength: 23 }))),
    deviceId: fc.oneof(fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/), fc.string({ maxLength: 70 }), odd),
    protocol: maybe(fc.string({ maxLength: 40, unit: 'binary' })),
    deviceTime: maybe(time),
    fixTime: maybe(time),
    serverTime: maybe(time),
    valid: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, odd),
    outdated: maybe(fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, odd)),
    latitude: maybe(coordinate),
    longitude: maybe(coordinate),
    speed: maybe(fc.oneof(fc.double(), odd)),
    network: maybe(
      fc.oneof(
        fc.record({
          cells: maybe(fc.array(fc.record({ mcc: odd, mnc: fc.integer(), lac: fc.integer(), cid: fc.integer() }))),
        }),
        odd,
      ),
    ),
    attributes: fc.oneof({ weight: 9, arbitrary: fc.dictionary(fc.string({ maxLength: 70 }), scalar) }, odd),
    extra: maybe(odd),
  })
  .map((value) => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)));

const plain = fc.oneof(
  fc.stringMatching(/^[ -!#-[\]-~]{0,9}$/),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const goodTime = fc
  .date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') })
  .map((d) => d.toISOString());
const tame = fc
  .record({
    id: maybe(fc.stringMatching(/^[A-Za-z0-9_-]{22}$/)),
    deviceId: fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/),
    protocol: maybe(fc.constantFrom('gt06', 'h02', 'ü')),
    deviceTime: maybe(goodTime),
    fixTime: maybe(goodTime),
    serverTime: goodTime,
    valid: fc.boolean(),
    latitude: maybe(fc.double({ min: -90, max: 90, noNaN: true })),
    longitude: maybe(fc.double({ min: -180, max: 180, noNaN: true })),
    network: maybe(fc.constant({ cells: [{ mcc: 222, mnc: 1, lac: 3, cid: 4 }], wifi: [{ mac: 'a' }] })),
    attributes: fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z0-9]{0,12}$/), plain),
  })
  .map((value) => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)));

/** records as they should be, with one thing wrong, and with anything wrong */
const record = fc.oneof(
  tame,
  fc.tuple(tame, wild, fc.nat()).map(([good, bad, n]) => {
    const keys = Object.keys(bad);
    const key = keys[n % keys.length] as string;
    return { ...good, [key]: bad[key] };
  }),
  wild,
);

test('the compiled check of a position agrees with the schema', () => {
  const check = compileCheck(positionRecord);
  let good = 0;
  fc.assert(
    fc.property(record, (value) => {
      const isValid = positionRecord.safeParse(value).success;
      if (isValid) good++;
      expect(check(value) === undefined).toBe(isValid);
    }),
    { numRuns: 3_000 },
  );
  // the property is worth something only where both results occur
  expect(good).toBeGreaterThan(200);
});

const event = fc.record({
  type: fc.constantFrom(...gatewayEvent.options.map((option) => option.shape.type.value), 'other'),
  seq: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 9 }) }, odd),
  at: fc.oneof({ weight: 5, arbitrary: fc.nat() }, odd),
  imei: fc.oneof({ weight: 5, arbitrary: fc.constant('1234') }, odd),
  conn: fc.oneof({ weight: 5, arbitrary: fc.string({ maxLength: 70 }) }, odd),
  protocol: fc.string({ maxLength: 40 }),
  transport: fc.constantFrom('tcp', 'udp', 'http', 'sms'),
  remote: fc.string({ maxLength: 70 }),
  bytes: fc.string(),
  code: fc.string(),
  detail: fc.string(),
  reason: fc.string(),
  ids: fc.array(fc.constantFrom('1', 'a b'), { maxLength: 9 }),
  life: fc.constantFrom('a', 'a b'),
  name: fc.string(),
  media: fc.constantFrom('image', 'sound'),
  offset: fc.integer(),
  commandId: fc.string(),
  attempt: fc.integer(),
  outcome: fc.constantFrom('done', 'perhaps'),
});

test('the checks of events agree with the schema', () => {
  const checks = new Map(gatewayEvent.options.map((o) => [o.shape.type.value as string, compileCheck(o)]));
  let good = 0;
  fc.assert(
    fc.property(event, (value) => {
      const isValid = gatewayEvent.safeParse(value).success;
      if (isValid) good++;
      const check = checks.get(value.type) ?? (() => 'no such type');
      expect(check(value) === undefined).toBe(isValid);
    }),
    { numRuns: 3_000 },
  );
  expect(good).toBeGreaterThan(20);
});

test('a line is accepted if the schema accepts it, and keeps its seq if it does not', () => {
  let good = 0;
  fc.assert(
    fc.property(record, fc.boolean(), (position, isSpaced) => {
      const event = { seq: 7, type: 'position', position };
      const line = isSpaced ? JSON.stringify(event, null, 1).replaceAll('\n', '') : JSON.stringify(event);
      const value = JSON.parse(line);
      const isValid = gatewayEvent.safeParse(value).success;
      if (isValid) good++;
      const read = readJsonLines(line);
      expect(read.events).toEqual(isValid ? [value] : []);
      expect(read.rejected.map(({ seq }) => seq)).toEqual(isValid ? [] : [7]);
    }),
    { numRuns: 1_000 },
  );
  expect(good).toBeGreaterThan(100);
});

test.each([
  '{"a":01}',
  '{"a":1.}',
  '{"a":-}',
  '{"a":null}',
  '{"a":{}}',
  '{"a":[1]}',
  '{"a":1,}',
  '{,}',
  '{"a"}',
  '{"a":tru}',
])('a position with the attributes %s is rejected', (attributes) => {
  const fields = `"id":"${'a'.repeat(22)}","serverTime":"2026-01-31T12:00:00Z","deviceId":"1","valid":true`;
  const line = `{"seq":1,"type":"position","position":{${fields},"attributes":${attributes}}}`;
  expect(readJsonLines(line)).toMatchObject({ events: [], rejected: [{ seq: 1, code: 'invalid' }], lastSeq: 1 });
  expect(readJsonLines(line.replace(attributes, '{"a":1}'))).toMatchObject({ events: [{ seq: 1 }], rejected: [] });
});

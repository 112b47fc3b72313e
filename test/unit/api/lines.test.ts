import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileCheck } from '../../../src/api/http/checks.ts';
import { parseLines } from '../../../src/api/ingest/json-lines.ts';
import { readPosition } from '../../../src/api/ingest/position-line.ts';
import { toRow } from '../../../src/api/ingest/positions/row.ts';
import { gatewayEvent } from '../../../src/contract/events.ts';
import { positionRecord } from '../../../src/contract/position.ts';
import { encodePosition } from '../../../src/telemetry/index.ts';

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

test('the compiled check of a position says what the schema says', () => {
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
  // the property is worth something only where both verdicts happen
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

test('the checks of events say what the schema says', () => {
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

/** records as gateways write them: their order, everything that is always there */
const degrees = maybe(fc.integer({ min: -1_900_000_000, max: 1_900_000_000 }).map((n) => n / 1e7));
const places = fc.record({ latitude: degrees, longitude: degrees, altitude: degrees, speed: degrees });
const ids = fc.stringMatching(/^[A-Za-z0-9_-]{22}$/);
const usual = fc.record({
  network: fc.constant(undefined),
  attributes: fc.dictionary(
    fc.stringMatching(/^[a-z][A-Za-z0-9]{0,12}$/),
    fc.oneof(fc.integer(), fc.boolean(), degrees),
  ),
});
const canonical = fc.tuple(record, ids, time, places, maybe(usual)).map(([position, id, serverTime, ...more]) => {
  const { protocol = 'gt06', ...given } = Object.assign({ ...position }, ...more) as Record<string, unknown>;
  const names =
    'deviceTime fixTime valid outdated latitude longitude altitude speed course accuracy network attributes';
  const ordered = names.split(' ').flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return Object.fromEntries([
    ['id', id],
    ['serverTime', serverTime],
    ['deviceId', given['deviceId']],
    ['protocol', protocol],
    ...ordered,
  ]);
});

describe('a position that is only looked over', () => {
  const device = { id: 1, tenantId: 1 };

  test('is stored as one that is read in full', () => {
    let quick = 0;
    fc.assert(
      fc.property(fc.oneof(record, canonical, canonical), fc.boolean(), (position, isSpaced) => {
        const event = { seq: 1, type: 'position', position };
        const line = isSpaced ? JSON.stringify(event, null, 1).replaceAll('\n', '') : JSON.stringify(event);
        const isValid = gatewayEvent.safeParse(JSON.parse(line)).success;
        const parsed = parseLines(line);
        expect(parsed.lines.length).toBe(isValid ? 1 : 0);
        if (!isValid) return;
        const { event: found, attributes } = parsed.lines[0]!;
        if (attributes !== undefined) quick++;
        if (found.type !== 'position') throw new Error('not a position');
        const row = toRow(found.position, device, 0, attributes);
        const full = toRow(JSON.parse(line).position, device, 0);
        expect({ ...row, attributes: JSON.parse(row.attributes) }).toEqual({
          ...full,
          attributes: JSON.parse(full.attributes),
        });
      }),
      { numRuns: 3_000 },
    );
    expect(quick).toBeGreaterThan(50);
  });

  const at = '"seq":1,"type":"position"';
  const body = `"id":"${'a'.repeat(22)}","serverTime":"2026-01-31T12:00:00Z","deviceId":"1","protocol":"h02","valid":true`;
  const isQuick = (line: string) => readPosition(line) !== undefined;

  test('is what a gateway writes', () => {
    const { json } = encodePosition(
      '356307042441013',
      'teltonika',
      {
        type: 'position',
        deviceTime: Date.UTC(2026, 1, 28, 23, 59, 59, 999),
        fixTime: Date.UTC(2026, 1, 28, 23, 59, 58),
        valid: true,
        latitude: -41.9,
        longitude: 12.5000001,
        altitude: -3.5,
        speed: 0,
        course: 359.9,
        accuracy: 4,
        attributes: { ignition: true, index: 7, driver: 'A.B', power: 12.601 },
      },
      Date.UTC(2026, 2, 1),
    );
    const line = `{"seq":12,"type":"position","position":${json}}`;
    const { event: found, attributes } = readPosition(line)!;
    const { attributes: all, ...rest } = JSON.parse(json);
    expect(found).toEqual({ type: 'position', seq: 12, position: { ...rest, attributes: {} } });
    expect(JSON.parse(attributes)).toEqual(all);
  });

  test.each([
    ['2026-02-28T12:00:00Z', true],
    ['2028-02-29T12:00:00.999Z', true],
    ['2026-02-29T12:00:00Z', false],
    ['2026-02-28T24:00:00Z', false],
    ['2026-02-28T29:00:00Z', false],
    ['2026-13-01T12:00:00Z', false],
    ['2026-02-28T12:60:00Z', false],
    ['2026-02-28T12:00:00+01:00', false],
  ])('has times of the calendar: %s', (text, isGood) => {
    // the day is known by now
    expect(
      isQuick(`{${at},"position":{${body.replace('2026-01-31T12:00:00Z', '2026-02-28T00:00:00Z')},"attributes":{}}}`),
    ).toBe(true);
    expect(isQuick(`{${at},"position":{${body.replace('2026-01-31T12:00:00Z', text)},"attributes":{}}}`)).toBe(isGood);
  });

  test.each([
    ['"latitude":90,"longitude":-180', true],
    ['"latitude":90.000001,"longitude":0', false],
    ['"latitude":0,"longitude":180.5', false],
    ['"latitude":01,"longitude":0', false],
    ['"longitude":0,"latitude":0', false],
    ['"latitude":0,"latitude":0', false],
  ])('has its coordinates on the globe, and in their place: %s', (text, isGood) => {
    expect(isQuick(`{${at},"position":{${body},${text},"attributes":{}}}`)).toBe(isGood);
  });
  test.each([
    ['an object after it', `{${at},"position":{${body},"attributes":{"a":1}},"extra":{"attributes":{"a":2}}}`],
    ['an object before it', `{${at},"extra":{"attributes":{"a":2}},"position":{${body},"attributes":{"a":1}}}`],
    ['the same key twice', `{${at},"position":{${body},"attributes":{"a":2},"attributes":{"a":1}}}`],
    [
      'the position twice',
      `{${at},"position":{${body},"attributes":{"a":2}},"position":{${body},"attributes":{"a":1}}}`,
    ],
    ['its name in a text', `{${at},"position":{${body},"attributes":{"b":",\\"attributes\\":{","a":1}}}`],
    ['blanks', `{${at},"position":{${body},"attributes": {"a":1} } }`],
    ['nothing', `{${at},"position":{${body},"attributes":{}}}`],
  ])('is told from what looks like it: %s', (_, line) => {
    const { lines } = parseLines(line);
    const { event: found, attributes } = lines[0]!;
    if (found.type !== 'position') throw new Error('not a position');
    const expected = JSON.parse(line).position.attributes;
    expect(attributes === undefined ? found.position.attributes : JSON.parse(attributes)).toEqual(expected);
  });

  test.each([
    '{"a":01}',
    '{"a":1e999}',
    '{"a":1.}',
    '{"a":-}',
    '{"a":null}',
    '{"a":{}}',
    '{"a":[1]}',
    '{"a":1,}',
    '{,}',
    '{"a"}',
    '{"a":tru}',
    `{"${'k'.repeat(65)}":1}`,
  ])('is read in full where its attributes are not plain: %s', (attributes) => {
    expect(readPosition(`{${at},"position":{${body},"attributes":${attributes}}}`)).toBeUndefined();
    expect(parseLines(`{${at},"position":{${body},"attributes":${attributes}}}`).rejected).toHaveLength(1);
  });
});

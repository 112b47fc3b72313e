import { describe, expect, it } from 'vitest';
import { fromLatin1 } from '#codec';
import {
  accessPoints,
  afterFields,
  allOf,
  allOrNone,
  anyOf,
  byName,
  byVariable,
  capture,
  cell,
  constant,
  DEVICE_ID,
  decodeGrammar,
  Fields,
  field,
  fix,
  gga,
  grammar,
  hasBit,
  hasFieldsLeft,
  ifBits,
  item,
  layout,
  matches,
  matchRecord,
  nested,
  not,
  number,
  numberedBits,
  numberVariable,
  oneOf,
  optional,
  optionalField,
  type Part,
  repeat,
  repeated,
  rmc,
  rmcSentence,
  sequence,
  skip,
  skipEmpty,
  skippedBits,
  TextRecord,
  textValue,
  textVariable,
  variableIs,
  when,
} from '#codec/text';

/** What parts read from the fields of a line. */
function read(line: string, ...parts: readonly Part[]): TextRecord {
  const record = new TextRecord();
  layout(...parts).walk(new Fields(line.split(',')), record);
  return record;
}

const attributes = (line: string, ...parts: readonly Part[]) => read(line, ...parts).draft.attributes;

const noon = Date.parse('2024-07-01T12:00:00Z');
const power = number('power');
const sat = number('sat');
const event = number('event');

describe('#codec/text', () => {
  it('layout', () => {
    const record = new TextRecord();
    const fields = new Fields('12.5,9,x'.split(','));
    layout(power, sat, event).walk(fields, record);
    expect(record.draft.attributes).toEqual({ power: 12.5, sat: 9 });
    // the first field that was not read
    expect(fields.at).toBe(2);
  });

  it('fix', () => {
    const place = [fix.time('yyMMddHHmmss'), fix.validWhen('A'), fix.latitude, fix.longitude, fix.speed(1.852)];
    const record = read('240701120000,A,45.07,7.69,10', ...place);
    expect(record).toMatchObject({ fixTime: Date.parse('2024-07-01T12:00:00Z'), valid: true, latitude: 45.07 });
    expect(record.draft.speed).toBeCloseTo(18.52);
    const lettered = read('45.07S,7.69E', fix.decimalLatitudeWithLetter, fix.decimalLongitudeWithLetter);
    expect(lettered).toMatchObject({ latitude: -45.07, longitude: 7.69 });
  });

  it('cell', () => {
    const record = read('22201,2A8F,B1C4', cell.operator, cell.lacHex, cell.cidHex, cell.end());
    expect(record.draft.toPosition().network).toEqual({ cells: [{ mcc: 222, mnc: 1, lac: 10_895, cid: 45_508 }] });
  });

  it('accessPoints', () => {
    const record = read('1c15a2b3c4d5:-55', accessPoints(/([0-9a-f]{12}):(-?\d{1,3})/g));
    expect(record.draft.toPosition().network).toEqual({ wifi: [{ mac: '1c:15:a2:b3:c4:d5', rssi: -55 }] });
  });

  it('allOrNone', () => {
    const fields = new Fields('12.5,x'.split(','));
    expect(allOrNone(power, sat).walk(fields, new TextRecord())).toBe(false);
    expect(fields.at).toBe(0);
  });

  it('skip', () => {
    expect(attributes('a,b,9', skip(2), sat)).toEqual({ sat: 9 });
  });

  it('skipEmpty', () => {
    expect(attributes(',,9', skipEmpty, sat)).toEqual({ sat: 9 });
  });

  it('constant', () => {
    expect(attributes('9', constant('ignition', true), sat)).toEqual({ ignition: true, sat: 9 });
  });

  it('item', () => {
    const pair = item((fields, { draft }) => {
      draft.attributes[fields.text()] = fields.number();
      return true;
    });
    expect(attributes('fuel,40,9', pair, sat)).toEqual({ fuel: 40, sat: 9 });
  });

  it('afterFields', () => {
    const invert = afterFields((record) => {
      record.latitude = -record.latitude!;
    });
    expect(read('45.07', fix.latitude, invert).latitude).toBe(-45.07);
  });

  it('when', () => {
    const voltage = when(matches(/^\d+$/), [number('power', { divisor: 1000 })], [power]);
    expect([attributes('12500', voltage), attributes('12.5', voltage)]).toEqual([{ power: 12.5 }, { power: 12.5 }]);
  });

  it('matches', () => {
    expect(attributes('a,9', when(matches(/^\d$/, 1), [skip(), sat]))).toEqual({ sat: 9 });
  });

  it('hasFieldsLeft', () => {
    const tail = when(hasFieldsLeft(2), [power, sat], [sat]);
    expect([attributes('9', tail), attributes('12.5,9', tail)]).toEqual([{ sat: 9 }, { power: 12.5, sat: 9 }]);
  });

  it('not', () => {
    expect(attributes('9', when(not(matches(/^A$/)), [sat]))).toEqual({ sat: 9 });
  });

  it('allOf', () => {
    expect(attributes('9,A', when(allOf(hasFieldsLeft(2), matches(/^\d/)), [sat]))).toEqual({ sat: 9 });
  });

  it('anyOf', () => {
    expect(attributes('9', when(anyOf(hasFieldsLeft(2), matches(/^\d/)), [sat]))).toEqual({ sat: 9 });
  });

  it('byVariable', () => {
    const message = [textVariable('type'), byVariable('type', { HB: [number('batteryLevel')], EV: [event] })];
    expect([attributes('HB,80', ...message), attributes('EV,5', ...message)]).toEqual([
      { batteryLevel: 80 },
      { event: 5 },
    ]);
  });

  it('variableIs', () => {
    const model = [textVariable('model'), when(variableIs('model', 'ST4*'), [power], [sat])];
    expect([attributes('ST4300,12', ...model), attributes('ST300,9', ...model)]).toEqual([{ power: 12 }, { sat: 9 }]);
  });

  it('hasBit', () => {
    const fields = [numberVariable('mask'), when(hasBit('mask', 1), [power])];
    expect([attributes('2,12', ...fields), attributes('1,12', ...fields)]).toEqual([{ power: 12 }, {}]);
  });

  it('ifBits', () => {
    const fields = [
      numberVariable('mask'),
      ifBits('mask', [
        [0, power],
        [1, sat],
      ]),
    ];
    expect(attributes('2,9', ...fields)).toEqual({ sat: 9 });
  });

  it('skippedBits', () => {
    const table = [...skippedBits(0, 3), [4, sat]] as const;
    expect(attributes('1F,a,b,c,d,9', numberVariable('mask'), ifBits('mask', table))).toEqual({ sat: 9 });
  });

  it('numberedBits', () => {
    const table = numberedBits(0, 2, number('fuel#'));
    expect(attributes('5,40,60', numberVariable('mask'), ifBits('mask', table))).toEqual({ fuel1: 40, fuel3: 60 });
  });

  it('repeat', () => {
    expect(attributes('2,40,60,9', numberVariable('count'), repeat('count', number('fuel#')), sat)).toEqual({
      fuel1: 40,
      fuel2: 60,
      sat: 9,
    });
  });

  it('nested', () => {
    expect(attributes('12.5;9,5', nested(';', power, sat), event)).toEqual({ power: 12.5, sat: 9, event: 5 });
  });

  it('byName', () => {
    const record = new TextRecord();
    const readLine = byName({ PWR: power, SAT: sat })(['SAT', '?', 'PWR']);
    readLine(['9', '1', '12.5'], record);
    expect(record.draft.attributes).toEqual({ sat: 9, power: 12.5 });
  });

  it('grammar', () => {
    const match = grammar(field('\\d{4}', textValue('code')), optional(field('\\d{1,2}', sat)), capture('\\d', event));
    const record = new TextRecord();
    expect(match('1234,5', record)).toBe(6);
    expect(record.draft.attributes).toEqual({ code: '1234', event: 5 });
    expect(match('x', record)).toBe(-1);
  });

  it('capture', () => {
    const record = new TextRecord();
    grammar(capture('[A-Z]{2}', textValue('code')))('HB', record);
    expect(record.draft.attributes).toEqual({ code: 'HB' });
  });

  it('field', () => {
    const record = new TextRecord();
    grammar(field('\\d{1,2}', sat), capture('A|V'))('9,A', record);
    expect(record.draft.attributes).toEqual({ sat: 9 });
  });

  it('optionalField', () => {
    const record = new TextRecord();
    grammar(optionalField('\\d{1,2}', sat), capture('\\d', event))(',5', record);
    expect(record.draft.attributes).toEqual({ event: 5 });
  });

  it('optional', () => {
    const match = grammar(optional('V', capture('\\d', event), ','), capture('\\d', sat));
    const [whole, short] = [new TextRecord(), new TextRecord()];
    expect([match('V1,9', whole), match('9', short)]).toEqual([4, 1]);
    expect([whole.draft.attributes, short.draft.attributes]).toEqual([{ event: 1, sat: 9 }, { sat: 9 }]);
  });

  it('sequence', () => {
    const pair = sequence(capture('\\d', event), ':', capture('\\d', sat));
    const record = new TextRecord();
    grammar(pair)('5:9', record);
    expect(record.draft.attributes).toEqual({ event: 5, sat: 9 });
  });

  it('oneOf', () => {
    const match = grammar(oneOf(sequence('E', capture('\\d', event)), sequence('S', capture('\\d', sat))));
    const record = new TextRecord();
    match('S9', record);
    expect(record.draft.attributes).toEqual({ sat: 9 });
  });

  it('gga', () => {
    const record = new TextRecord();
    grammar('\\$', gga)('$GPGGA,120000.00,4807.5000,N,01136.0000,E,1,08,1.2,514.3,M,47.0,M,,*00', record);
    record.fixTime = Date.parse('2024-07-01T12:00:00Z');
    record.latitude = 48.125;
    record.longitude = 11.6;
    expect(record.toPosition()).toMatchObject({ altitude: 514.3, attributes: { sat: 8, hdop: 1.2 } });
  });

  it('rmc', () => {
    const record = new TextRecord();
    grammar('\\$GPRMC,', rmc)('$GPRMC,120000.00,A,4807.5000,N,01136.0000,E,10.0,90.0,010724,,*00', record);
    expect(record.toPosition()).toMatchObject({ fixTime: noon, latitude: 48.125, longitude: 11.6, speed: 18.52 });
  });

  it('rmcSentence', () => {
    const fix = { time: noon, latitude: 48.125, longitude: 11.6, speed: 18.52, course: 90, ignition: true };
    const sentence = 'GPRMC,120000.000,A,4807.5000,N,01136.0000,E,10.00,90.00,010724,,,A*6E';
    expect(rmcSentence(fix)).toBe(sentence);
  });

  it('matchRecord', () => {
    const report = grammar(field('\\d{15}', textVariable(DEVICE_ID)), capture('\\d', sat));
    expect(matchRecord(report, '350000000000014,9').toPosition()).toMatchObject({ attributes: { sat: 9 } });
    expect(() => matchRecord(report, 'PING')).toThrow('the fields are in no known order');
  });

  it('decodeGrammar', () => {
    const decode = decodeGrammar<undefined>(grammar(field('\\d{15}', textVariable(DEVICE_ID)), capture('\\d', sat)));
    const context = { transport: 'tcp', state: undefined, options: {}, now: 0 } as const;
    expect(decode(fromLatin1('350000000000014,9'), context).messages).toMatchObject([
      { type: 'login', ids: ['350000000000014'] },
      { attributes: { sat: 9 } },
    ]);
  });

  it('DEVICE_ID', () => {
    const record = new TextRecord();
    grammar(capture('\\d{15}', textVariable(DEVICE_ID)))('350000000000014', record);
    expect(record.variables[DEVICE_ID]).toBe('350000000000014');
  });

  it('repeated', () => {
    const last = new TextRecord();
    grammar(repeated(field('\\d{1,2}', sat), 10))('7,9,', last);
    expect([...last.earlier, last].map(({ draft }) => draft.attributes)).toEqual([{ sat: 7 }, { sat: 9 }]);
  });
});

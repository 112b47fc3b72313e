import { describe, expect, it } from 'vitest';
import {
  afterChars,
  afterSeparator,
  alarm,
  alarmsByText,
  all,
  attributeSetter,
  attributesByText,
  binaryDigits,
  bitField,
  ddmmFromDegrees,
  digitFlags,
  digitsAt,
  Fields,
  flag,
  fromVariable,
  hex,
  hexByte,
  hexText,
  hourMeter,
  ignored,
  integer,
  isDigits,
  isHexByte,
  layout,
  matchFirst,
  number,
  numberVariable,
  numeric,
  type Part,
  parseDecimal,
  parseDecimalField,
  parseHex,
  parseTime,
  plainText,
  TextRecord,
  textEquals,
  textValue,
  textVariable,
  utcFromDdmmyyHhmmss,
  utcFromDigits,
  utcToDdmmyyHhmmss,
  utcToDigits,
  value,
} from '#codec/text';

/** What parts read from the fields of a line. */
function read(line: string, ...parts: readonly Part[]): TextRecord {
  const record = new TextRecord();
  layout(...parts).walk(new Fields(line.split(',')), record);
  return record;
}

const attributes = (line: string, ...parts: readonly Part[]) => read(line, ...parts).draft.attributes;

const noon = Date.parse('2024-07-01T12:00:00Z');

describe('#codec/text', () => {
  it('Fields', () => {
    const fields = new Fields('12,,7F'.split(','));
    expect([fields.number(), fields.optionalNumber(), fields.hex()]).toEqual([12, undefined, 127]);
    expect(() => fields.text()).toThrow('field 3 is missing');
  });

  it('textValue', () => {
    expect(attributes('V1.2', textValue('version'))).toEqual({ version: 'V1.2' });
  });

  it('number', () => {
    expect(attributes('12500', number('power', { divisor: 1000 }))).toEqual({ power: 12.5 });
  });

  it('integer', () => {
    expect(attributes('9', integer('sat'))).toEqual({ sat: 9 });
    expect(attributes('9.5', integer('sat'))).toEqual({});
  });

  it('hex', () => {
    expect(attributes('FF9C', hex('temperature', { bits: 16, divisor: 10 }))).toEqual({ temperature: -10 });
  });

  it('flag', () => {
    expect(attributes('1,0', flag('ignition'), flag('charge'))).toEqual({ ignition: true, charge: false });
  });

  it('textEquals', () => {
    expect(attributes('ON', textEquals('ignition', 'ON'))).toEqual({ ignition: true });
  });

  it('attributesByText', () => {
    const states = attributesByText({ '1': { ignition: true }, '2': { ignition: false } });
    expect(attributes('02', states)).toEqual({ ignition: false });
  });

  it('alarmsByText', () => {
    expect(attributes('sos', alarmsByText({ SOS: 'sos' }))).toEqual({ alarm: 'sos' });
  });

  it('alarm', () => {
    expect(attributes('1', alarm('sos'))).toEqual({ alarm: 'sos' });
    expect(attributes('0', alarm('sos'))).toEqual({});
  });

  it('hourMeter', () => {
    expect(attributes('2:30:00', hourMeter('hours'))).toEqual({ hours: 9_000_000 });
  });

  it('bitField', () => {
    const inputs = bitField(16, { key: 'ignition', bit: 0 }, { key: 'rssi', bit: 4, width: 4 });
    expect(attributes('A1', inputs)).toEqual({ ignition: true, rssi: 10 });
  });

  it('digitFlags', () => {
    expect(attributes('10', digitFlags('ignition', 'charge'))).toEqual({ ignition: true, charge: false });
  });

  it('binaryDigits', () => {
    expect([attributes('0102', binaryDigits('input')), attributes('', binaryDigits('input'))]).toEqual([
      { input: 4 },
      {},
    ]);
  });

  it('matchFirst', () => {
    const temperature = matchFirst([/C$/, value(() => true)], [/^\d+$/, number('temperature')]);
    expect([attributes('25', temperature), attributes('25C', temperature)]).toEqual([{ temperature: 25 }, {}]);
  });

  it('afterChars', () => {
    expect(attributes('T:25', afterChars(2, number('temperature')))).toEqual({ temperature: 25 });
  });

  it('afterSeparator', () => {
    expect(attributes('fuel=40', afterSeparator('=', number('fuel')))).toEqual({ fuel: 40 });
  });

  it('ignored', () => {
    expect(attributes('x,9', ignored, number('sat'))).toEqual({ sat: 9 });
  });

  it('numberVariable', () => {
    const record = new TextRecord();
    numberVariable('mask').set('1F', record);
    expect(record.variables).toEqual({ mask: 31 });
  });

  it('textVariable', () => {
    const record = new TextRecord();
    textVariable('type').set('V1', record);
    expect(record.variables).toEqual({ type: 'V1' });
  });

  it('fromVariable', () => {
    const record = new TextRecord({ model: 'ST4300' });
    fromVariable('model', textValue('model')).set('', record);
    expect(record.draft.attributes).toEqual({ model: 'ST4300' });
  });

  it('hexText', () => {
    expect(attributes('4F4B', hexText(textValue('answer')))).toEqual({ answer: 'OK' });
  });

  it('all', () => {
    expect(attributes('1', all(number('event'), alarm('sos')))).toEqual({ event: 1, alarm: 'sos' });
  });

  it('value', () => {
    const name = value((text, { draft }) => {
      draft.attributes['name'] = text.toLowerCase();
      return true;
    });
    expect(attributes('TRUCK', name)).toEqual({ name: 'truck' });
  });

  it('numeric', () => {
    const double = numeric(parseDecimal, ({ draft }, n) => {
      draft.speed = 2 * n;
      return true;
    });
    const record = new TextRecord();
    expect([double.set('25', record), double.set('x', record), record.draft.speed]).toEqual([true, false, 50]);
  });

  it('attributeSetter', () => {
    const record = new TextRecord();
    record.groupNumber = 2;
    attributeSetter('fuel#')(record, 40);
    expect(record.draft.attributes).toEqual({ fuel2: 40 });
  });

  it('TextRecord', () => {
    const record = new TextRecord();
    Object.assign(record, { fixTime: noon, latitude: 45.07, longitude: 7.69, valid: true });
    expect(record.hasFix).toBe(true);
    expect(record.toPosition()).toMatchObject({ fixTime: noon, latitude: 45.07, valid: true });
  });

  it('parseDecimal', () => {
    expect(['-12.5', '1e3', '0x10', ''].map(parseDecimal)).toEqual([-12.5, undefined, undefined, undefined]);
  });

  it('parseDecimalField', () => {
    expect(parseDecimalField(' 12.5 ')).toBe(12.5);
  });

  it('parseHex', () => {
    expect([parseHex('1F'), parseHex('1G')]).toEqual([31, undefined]);
  });

  it('parseTime', () => {
    expect(parseTime('01/07/24 12:00:00', 'dd/MM/yy HH:mm:ss')).toBe(noon);
    expect(parseTime('1/7/24', 'dd/MM/yy')).toBeUndefined();
    expect(parseTime('191194', 'ddMMyy')).toBe(Date.UTC(1994, 10, 19));
  });

  it('digitsAt', () => {
    expect(digitsAt('120734', 2, 2)).toBe(7);
  });

  it('utcFromDdmmyyHhmmss', () => {
    expect(utcFromDdmmyyHhmmss('010724', '120000')).toBe(noon);
  });

  it('utcToDdmmyyHhmmss', () => {
    expect(utcToDdmmyyHhmmss(noon)).toEqual(['010724', '120000']);
  });

  it('utcFromDigits', () => {
    expect(utcFromDigits('20240701120000')).toBe(noon);
  });

  it('utcToDigits', () => {
    expect(utcToDigits(noon)).toBe('20240701120000');
  });

  it('plainText', () => {
    expect(plainText(Uint8Array.of(0x4f, 0x4b, 0x0d), 0, 3)).toBe('OK');
    expect(plainText(Uint8Array.of(0x4f, 0xff), 0, 2)).toBeUndefined();
  });

  it('isHexByte', () => {
    const bytes = Uint8Array.of(0x2a, 0x30, 0x61);
    expect([isHexByte(bytes, 1, 10), isHexByte(bytes, 1, 11), isHexByte(bytes, 2, 10)]).toEqual([true, false, false]);
  });

  it('hexByte', () => {
    expect(hexByte(10)).toBe('0A');
  });

  it('isDigits', () => {
    expect([isDigits('120734', 6), isDigits('12073A', 6)]).toEqual([true, false]);
  });

  it('ddmmFromDegrees', () => {
    expect(ddmmFromDegrees(-48.125, 2)).toBe('4807.5000');
  });
});

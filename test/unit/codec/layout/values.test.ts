import { describe, expect, it } from 'vitest';
import { CodecError } from '#codec';
import {
  alarm,
  alarmOf,
  alarmsByMask,
  attr,
  bits,
  constant,
  fix,
  flagByMask,
  hex,
  type NumberType,
  number,
  numberFields,
  numberList,
  regexFields,
  restAsNumber,
  skipSized,
  tags,
  text,
  u8,
  u16,
  u32,
} from '#codec/binary';
import { ascii, attributes, read } from '../../../support/layouts.ts';

const readNumber = (kind: NumberType, bytes: string) => attributes(number(kind, attr('n')), bytes)['n'];

describe('numbers', () => {
  it.each<[NumberType, string, number]>([
    ['u8', 'ff', 255],
    ['i8', 'ff', -1],
    ['u16', '0102', 258],
    ['u16LE', '0102', 513],
    ['i16', 'fffe', -2],
    ['i16LE', 'feff', -2],
    ['m8', '85', -5],
    ['m8', '05', 5],
    ['m16', '8005', -5],
    ['m16', '0005', 5],
    ['m16LE', '0580', -5],
    ['m32', '80000001', -1],
    ['m32LE', '01000080', -1],
    ['u24', '010203', 66_051],
    ['i24', 'ffffff', -1],
    ['u24LE', '030201', 66_051],
    ['i24LE', 'feffff', -2],
    ['u32', 'ffffffff', 4_294_967_295],
    ['i32', 'ffffffff', -1],
    ['u32LE', '01000080', 2_147_483_649],
    ['i32LE', 'ffffffff', -1],
    ['u48', '000100000000', 4_294_967_296],
    ['i64', '0000000100000000', 4_294_967_296],
    ['f32', '3fc00000', 1.5],
    ['f32LE', '0000c03f', 1.5],
    ['f64', '3ff8000000000000', 1.5],
    ['f64LE', '000000000000f83f', 1.5],
    ['bcd8', '42', 42],
    ['bcd16', '1234', 1234],
    ['bcd24', '123456', 123_456],
    ['bcd32', '12345678', 12_345_678],
  ])('reads %s', (kind, bytes, value) => {
    expect(readNumber(kind, bytes)).toBe(value);
    expect(() => readNumber(kind, bytes.slice(2))).toThrow(CodecError);
  });

  it('scales, shifts, and counts from another zero', () => {
    expect(attributes(u16('power', { divisor: 1000 }), '3039')).toEqual({ power: 12.345 });
    expect(attributes(u16('odometer', { factor: 100 }), '0003')).toEqual({ odometer: 300 });
    expect(attributes(u8('coolantTemp', { add: -40 }), '5a')).toEqual({ coolantTemp: 50 });
    expect(attributes(u8('throttle', { factor: 100, divisor: 255, truncate: true }), '80')).toEqual({ throttle: 50 });
    expect(attributes(u16('pressure', { mask: 0x3ff, divisor: 40 }), 'fc50')).toEqual({ pressure: 2 });
    expect(attributes(u16('batteryTemp', { subtract: 2731, divisor: 10 }), '0ba7')).toEqual({ batteryTemp: 25.2 });
    expect(
      attributes([u8('a', { subtract: 10 }), u8('b', { subtract: 1, truncate: true, divisor: 2 })], '0906'),
    ).toEqual({
      a: -1,
      b: 2,
    });
    // never a negative zero
    expect(attributes(u8('temp1', { factor: -1 }), '00')).toEqual({ temp1: 0 });
    expect(attributes(u32('top', { mask: 0xf000_0000, shift: 28 }), 'a0000000')).toEqual({ top: 10 });
  });

  it('recognizes raw numbers without a value', () => {
    const fields = [
      u16('a', { noValue: 0xffff }),
      u8('b', { noValue: [0, 255], divisor: 10 }),
      u8('c', { min: 1, max: 6 }),
    ];
    expect(attributes(fields, 'ffff0007')).toEqual({});
    expect(attributes(fields, 'fffe0a06')).toEqual({ a: 0xfffe, b: 1, c: 6 });
    expect(attributes(number('f32', attr('n')), '7fc00000')).toEqual({});
  });

  it('looks up values', () => {
    expect(attributes(u8('motion', { equals: 1 }), '02')).toEqual({ motion: false });
    expect(attributes(u8('door', { isPositive: true, mask: 0x0f }), '13')).toEqual({ door: true });
    const charge = u8('charge', { lookup: { 2: true, 3: true } });
    expect(attributes([charge, u8('mode', { lookup: { 1: 'sleep' } })], '0301')).toEqual({
      charge: true,
      mode: 'sleep',
    });
    expect(attributes(charge, '01')).toEqual({});
    expect(attributes(u32('driverUniqueId', { text: true }), 'ffffffff')).toEqual({ driverUniqueId: '4294967295' });
  });

  it('sets several attributes from one number', () => {
    const status = number(
      'u32',
      attr('status'),
      flagByMask(0x01, 'ignition'),
      flagByMask(0x8000_0000, 'blocked'),
      flagByMask(0x02, 'locked', 'not'),
      alarmsByMask([
        [0x06, 'sos'],
        [0x8000_0000, 'powerCut'],
      ]),
      alarmsByMask([[0x40, 'vibration']], 'not'),
    );
    expect(attributes(status, '80000004')).toEqual({
      status: 0x8000_0004,
      ignition: false,
      blocked: true,
      locked: true,
      alarm: 'sos,powerCut,vibration',
    });
  });

  it('sets attributes from a part of a number', () => {
    const status = number('u8', attr('status'), bits(0x38, 3, alarmOf({ 4: 'sos' }), attr('kind')));
    expect(attributes(status, 'a7')).toEqual({ status: 0xa7, alarm: 'sos', kind: 4 });
  });

  it('looks up alarms by their number', () => {
    const event = number('u8', alarmOf({ 1: 'sos' }, 'event'));
    expect(attributes([event, event], '0105')).toEqual({ alarm: 'sos', event: 5 });
    expect(attributes(number('u8', alarmOf({ 1: 'sos' })), '05')).toEqual({});
    expect(attributes([alarm('door'), constant('archive', true)], '')).toEqual({ alarm: 'door', archive: true });
  });

  it('fills in the fix', () => {
    const fields = [
      fix.time('u32'),
      fix.latitude('i32', { divisor: 1e6 }),
      fix.longitude('i32', { divisor: 1e6 }),
      fix.speed('u16', { divisor: 10 }),
    ];
    const position = read(fields, '665a6a80' + '01406f40' + 'ff5f2a2f' + '0259').toPosition();
    // 1,717,201,536 s, 21.0 degrees north, -10.540497 degrees east
    expect(position).toMatchObject({ fixTime: 1_717_201_536_000, latitude: 21, longitude: -10.540_497, speed: 60.1 });
  });

  it('reads numbers of the size that they have', () => {
    const list = tags({ id: 'u8', length: 'u8', table: {}, other: restAsNumber('io#', 'hex') });
    expect(attributes(list, '0101ff' + '02020102' + '0303010203' + '0404ffffffff' + '05050102030405' + '0600')).toEqual(
      {
        io1: 255,
        io2: 258,
        io3: '010203',
        io4: 4_294_967_295,
        io5: '0102030405',
      },
    );
    const little = tags({ id: 'u8', length: 'u8', table: {}, other: restAsNumber('io#', undefined, 'LE') });
    expect(attributes(little, '02020102' + '0404ffffffff' + '05050102030405')).toEqual({
      io2: 513,
      io4: 4_294_967_295,
    });
  });
});

describe('text', () => {
  it('has a size of several kinds', () => {
    expect(
      attributes([text('a', 2), text('b', 'u8'), text('c', 'zero'), text('d', 'rest')], ascii('xy\x01zuv\0w')),
    ).toEqual({
      a: 'xy',
      b: 'z',
      c: 'uv',
      d: 'w',
    });
    expect(attributes(text('a', 'zero'), ascii('xy'))).toEqual({ a: 'xy' });
    expect(() => read(text('a', 'u8'), '0541')).toThrow(CodecError);
    expect(attributes([skipSized('u8'), u8('n')], '02aabb05')).toEqual({ n: 5 });
  });

  it('is trimmed and shortened', () => {
    expect(attributes(text('a', 'rest', { trim: true }), ascii(' xy\0 '))).toEqual({ a: 'xy' });
    expect(attributes(text('a', 'rest', { trim: true, unlessEmpty: true }), ascii(' \0'))).toEqual({});
    expect(attributes([hex('a', 1, { noValue: '00' }), hex('b', 1, { noValue: '00' })], '0001')).toEqual({ b: '01' });
    expect(attributes(text('a', 'rest', { comma: ' ' }), ascii('P1,P2'))).toEqual({ a: 'P1 P2' });
    expect(attributes(text('a', 'rest', { number: 100 }), ascii('386'))).toEqual({ a: 3.86 });
    expect(attributes(text('a', 'rest', { number: 1 }), ascii('3x'))).toEqual({});
    expect(attributes(hex('iccid', 3, { padding: 'f' }), '8986ff')).toEqual({ iccid: '8986' });
    expect(attributes(hex('imei', 3, { from: 1, maxChars: 4 }), '012345')).toEqual({ imei: '1234' });
  });

  it('is decoded from other encodings', () => {
    expect(attributes(text('a', 'rest', { encoding: 'gbk' }), 'c4e3bac3')).toEqual({ a: '你好' });
    expect(attributes(text('a', 'rest', { encoding: 'utf-16be' }), '4f60597d')).toEqual({ a: '你好' });
  });

  it('holds fields and what a pattern finds', () => {
    const fields = numberFields(',', ['power', undefined, 'rpm'], '$OBD,');
    expect(attributes(fields, ascii('$OBD,12.5,7,900,1'))).toEqual({ power: 12.5, rpm: 900 });
    expect(attributes(fields, ascii('$OBD,,7,x'))).toEqual({});
    expect(attributes(fields, ascii('12.5,7,900'))).toEqual({});
    const wake = regexFields(/^\*M00.{6}(?<battery>\d{3})(?:,(?<name>[a-z]{1,9}))?/, {
      battery: { number: 100 },
      name: {},
    });
    expect(attributes(wake, ascii('*M00,45,11386'))).toEqual({ battery: 3.86 });
    expect(attributes(wake, ascii('*M00,45,11386,abc'))).toEqual({ battery: 3.86, name: 'abc' });
    expect(attributes(wake, ascii('*M01,45,11386'))).toEqual({});
    expect(() => read(wake, '41'.repeat(2000))).toThrow(CodecError);
  });

  it('shows vectors', () => {
    expect(attributes(numberList('gSensor', 'i16'), 'ffff00010002')).toEqual({ gSensor: '[-1,1,2]' });
    expect(attributes(numberList('tilt', 'i8', 2), 'ff01')).toEqual({ tilt: '[-1,1]' });
  });
});

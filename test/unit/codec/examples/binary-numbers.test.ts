import { describe, expect, it } from 'vitest';
import { Draft, fromHex, Reader } from '#codec';
import {
  alarm,
  alarmOf,
  alarmsByMask,
  attr,
  bits,
  constant,
  type FieldList,
  fix,
  fixNumber,
  flagByMask,
  groups,
  i8,
  i16,
  i16LE,
  i32,
  i32LE,
  layout,
  m8,
  m16,
  number,
  readerOf,
  restAsNumber,
  setValid,
  skip,
  u8,
  u16,
  u16LE,
  u24,
  u32,
  u32LE,
  validIf,
} from '#codec/binary';

/** What fields read from bytes. */
function read(bytes: string, ...fields: readonly FieldList[]): Draft {
  const draft = new Draft();
  layout(fields)(new Reader(fromHex(bytes)), draft);
  return draft;
}

const attributes = (bytes: string, ...fields: readonly FieldList[]) => read(bytes, ...fields).attributes;

describe('#codec/binary', () => {
  it('number', () => {
    const status = number('u16', flagByMask(0x8000, 'ignition'), bits(0x00ff, 0, attr('rssi')));
    expect(attributes('8014', status)).toEqual({ ignition: true, rssi: 20 });
  });

  it('attr', () => {
    expect(attributes('30d4', number('u16', attr('power', { divisor: 1000 })))).toEqual({ power: 12.5 });
    const gear = attr('gear', { lookup: { 0: 'neutral', 1: 'first' } });
    expect(attributes('01', number('u8', gear))).toEqual({ gear: 'first' });
    expect(attributes('ffff', number('u16', attr('power', { noValue: 0xffff })))).toEqual({});
  });

  it('flagByMask', () => {
    expect(attributes('02', number('u8', flagByMask(0x02, 'ignition'), flagByMask(0x04, 'charge', 'not')))).toEqual({
      ignition: true,
      charge: true,
    });
  });

  it('bits', () => {
    expect(attributes('a7', number('u8', bits(0xf0, 4, attr('rssi')), bits(0x0f, 0, attr('sat'))))).toEqual({
      rssi: 10,
      sat: 7,
    });
  });

  it('alarmsByMask', () => {
    const alarms = alarmsByMask([
      [0x01, 'sos'],
      [0x02, 'overspeed'],
      [0x04, 'lowBattery'],
    ]);
    expect(attributes('05', number('u8', alarms))).toEqual({ alarm: 'sos,lowBattery' });
  });

  it('alarmOf', () => {
    const alarms = alarmOf({ 1: 'sos', 2: 'powerCut' }, 'event');
    expect(attributes('02', number('u8', alarms))).toEqual({ alarm: 'powerCut' });
    expect(attributes('09', number('u8', alarms))).toEqual({ event: 9 });
  });

  it('fix', () => {
    expect(read('01f4', fix.speed('u16', { divisor: 10 })).speed).toBe(50);
    // 45.07 and 7.69 in millionths of a degree
    const { latitude, longitude } = read('02afb6b000755710', fix.coordinates('i32', 1e6));
    expect([latitude, longitude]).toEqual([45.07, 7.69]);
    const noon = Date.parse('2024-07-01T12:00:00Z');
    expect(read('66829a40', fix.time('u32'))).toMatchObject({ deviceTime: noon, fixTime: noon });
    // minutes since 2000
    expect(read('00c49f50', fix.deviceTime('u32', 60_000, Date.UTC(2000, 0, 1))).deviceTime).toBe(noon);
  });

  it('fixNumber', () => {
    // the lower nine bits are the course
    expect(read('805a', number('u16', bits(0x1ff, 0, fixNumber('course')))).course).toBe(90);
  });

  it('validIf', () => {
    expect(read('10', number('u8', validIf(0x10))).valid).toBe(true);
    expect(read('10', number('u8', validIf(0x10, 'not'))).valid).toBe(false);
  });

  it('setValid', () => {
    expect(read('', setValid(true)).valid).toBe(true);
  });

  it('skip', () => {
    expect(attributes('ffff05', skip(2), u8('event'))).toEqual({ event: 5 });
  });

  it('constant', () => {
    expect(attributes('', constant('ignition', true))).toEqual({ ignition: true });
  });

  it('alarm', () => {
    expect(attributes('', alarm('sos'))).toEqual({ alarm: 'sos' });
  });

  it('restAsNumber', () => {
    expect(attributes('012c', restAsNumber('event'))).toEqual({ event: 300 });
    expect(attributes('cafe01', restAsNumber('event', 'hex'))).toEqual({ event: 'cafe01' });
  });

  it('u8', () => {
    expect(attributes('64', u8('batteryLevel'))).toEqual({ batteryLevel: 100 });
    expect(attributes('0102', groups(u8('input#')))).toEqual({ input1: 1, input2: 2 });
  });

  it('i8', () => {
    expect(attributes('f6', i8('temperature'))).toEqual({ temperature: -10 });
  });

  it('u16', () => {
    expect(attributes('30d4', u16('power', { divisor: 1000 }))).toEqual({ power: 12.5 });
  });

  it('i16', () => {
    expect(attributes('ff9c', i16('temperature', { divisor: 10 }))).toEqual({ temperature: -10 });
  });

  it('m8', () => {
    expect(attributes('8a', m8('temperature'))).toEqual({ temperature: -10 });
  });

  it('m16', () => {
    expect(attributes('8064', m16('temperature', { divisor: 10 }))).toEqual({ temperature: -10 });
  });

  it('u24', () => {
    expect(attributes('0186a0', u24('odometer'))).toEqual({ odometer: 100_000 });
  });

  it('u32', () => {
    expect(attributes('000186a0', u32('odometer', { factor: 1000 }))).toEqual({ odometer: 100_000_000 });
  });

  it('i32', () => {
    expect(attributes('ffffff9c', i32('axis'))).toEqual({ axis: -100 });
  });

  it('u16LE', () => {
    expect(attributes('d430', u16LE('power', { divisor: 1000 }))).toEqual({ power: 12.5 });
  });

  it('i16LE', () => {
    expect(attributes('9cff', i16LE('axis'))).toEqual({ axis: -100 });
  });

  it('u32LE', () => {
    expect(attributes('a0860100', u32LE('odometer'))).toEqual({ odometer: 100_000 });
  });

  it('i32LE', () => {
    expect(attributes('9cffffff', i32LE('axis'))).toEqual({ axis: -100 });
  });

  it('readerOf', () => {
    expect(readerOf('bcd16')(new Reader(fromHex('1234')))).toBe(1234);
  });
});

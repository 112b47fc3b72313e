import { describe, expect, it } from 'vitest';
import { Draft, fromHex, fromLatin1, Reader, toHex } from '#codec';
import {
  accessPoint,
  accessPointTexts,
  all,
  bcdPlace,
  bcdTime,
  binaryTime,
  bytesLeft,
  cell,
  cellNetwork,
  choose,
  extendBeyondLength,
  extendToEnd,
  type FieldList,
  fieldsByNumber,
  fix,
  groupNumber,
  groups,
  hasAtLeast,
  hasBytes,
  hasWholeGroups,
  hemispheres,
  hex,
  ifInMask,
  inOrder,
  isAscii,
  layout,
  lengthPrefixed,
  nextNumber,
  number,
  numberFields,
  numberList,
  optionalTail,
  presenceMask,
  readBcdTimeByDay,
  readPosition,
  readPositions,
  regexFields,
  seekFromEnd,
  skip,
  skipSized,
  startsWithText,
  switchOn,
  tags,
  text,
  throwUnknown,
  u8,
  u16,
  when,
} from '#codec/binary';

/** What fields read from bytes. */
function read(bytes: string, ...fields: readonly FieldList[]): Draft {
  const draft = new Draft();
  layout(fields)(new Reader(fromHex(bytes)), draft);
  return draft;
}

const attributes = (bytes: string, ...fields: readonly FieldList[]) => read(bytes, ...fields).attributes;
const hexOf = (ascii: string) => toHex(fromLatin1(ascii));
const noon = Date.parse('2024-07-01T12:00:00Z');

describe('#codec/binary', () => {
  it('layout', () => {
    const record = layout([fix.time('u32'), fix.coordinates('i32', 1e6), u8('sat')]);
    const draft = new Draft();
    record(new Reader(fromHex('66829a4002afb6b00075571009')), draft);
    expect(draft).toMatchObject({ fixTime: noon, latitude: 45.07, longitude: 7.69, attributes: { sat: 9 } });
  });

  it('readPosition', () => {
    const report = layout([fix.deviceTime('u32'), u8('batteryLevel')]);
    const position = readPosition(report, new Reader(fromHex('66829a4050')));
    expect(position).toMatchObject({ deviceTime: noon, outdated: true, attributes: { batteryLevel: 80 } });
  });

  it('readPositions', () => {
    const positions = readPositions(layout([u8('event')]), new Reader(fromHex('0102')));
    expect(positions).toMatchObject([{ attributes: { event: 1 } }, { attributes: { event: 2 } }]);
  });

  it('inOrder', () => {
    expect(attributes('0102', inOrder([u8('event'), u8('sat')]))).toEqual({ event: 1, sat: 2 });
  });

  it('optionalTail', () => {
    expect(attributes('01', u8('event'), optionalTail([u16('power')]))).toEqual({ event: 1 });
  });

  it('seekFromEnd', () => {
    expect(attributes('0102030405', seekFromEnd(2), u16('serial'))).toEqual({ serial: 0x0405 });
  });

  it('bytesLeft', () => {
    const left: number[] = [];
    read('010203', skip(1), (scope) => left.push(bytesLeft(scope)), skip(2));
    expect(left).toEqual([2]);
  });

  it('lengthPrefixed', () => {
    // the length covers more than is known of the part
    expect(attributes('0301ffff02', lengthPrefixed('u8', u8('event')), u8('sat'))).toEqual({ event: 1, sat: 2 });
  });

  it('extendToEnd', () => {
    const name = [extendToEnd, text('name', 'rest')];
    expect(attributes(`01${hexOf('truck')}`, lengthPrefixed('u8', name))).toEqual({ name: 't' });
  });

  it('extendBeyondLength', () => {
    const name = [extendBeyondLength, text('name', 'rest')];
    expect(attributes(`01${hexOf('truck')}`, lengthPrefixed('u8', name))).toEqual({ name: 'truck' });
  });

  it('groups', () => {
    expect(attributes('02c8c9', groups(u8('fuel#', { subtract: 200 }), { count: 'u8' }))).toEqual({
      fuel1: 0,
      fuel2: 1,
    });
  });

  it('groupNumber', () => {
    expect(attributes('0364', groups([groupNumber('u8'), u8('fuel#')]))).toEqual({ fuel3: 100 });
  });

  it('tags', () => {
    const table = { 1: u16('power', { divisor: 1000 }), 4: u8('batteryLevel') };
    // id, length, value; the tag 9 is not in the table
    const bytes = '010230d4 0901ff 040150'.replaceAll(' ', '');
    expect(attributes(bytes, tags({ id: 'u8', length: 'u8', table }))).toEqual({ power: 12.5, batteryLevel: 80 });
  });

  it('switchOn', () => {
    const event = switchOn('u8', { 1: u8('batteryLevel'), 2: u16('power') }, throwUnknown('an event'));
    expect(attributes('0150', event)).toEqual({ batteryLevel: 80 });
    expect(() => attributes('07', event)).toThrow('an event');
  });

  it('fieldsByNumber', () => {
    const fieldOf = fieldsByNumber({ 1: u8('batteryLevel') });
    expect([fieldOf(1) === undefined, fieldOf(2)]).toEqual([false, undefined]);
  });

  it('throwUnknown', () => {
    expect(() => read('01', throwUnknown('block 1'))).toThrow('block 1 (at byte 0)');
  });

  it('presenceMask', () => {
    const fields = [presenceMask('u8'), ifInMask(0x01, u8('sat')), ifInMask(0x02, u16('power'))];
    expect(attributes('020010', fields)).toEqual({ power: 16 });
  });

  it('ifInMask', () => {
    const fields = [presenceMask('u8'), ifInMask(0x06, u8('sat'))];
    expect([attributes('0409', fields), attributes('01', fields)]).toEqual([{ sat: 9 }, {}]);
  });

  it('choose', () => {
    const voltage = choose([[hasBytes(1), u8('power')]], u16('power', { divisor: 1000 }));
    expect([attributes('0c', voltage), attributes('30d4', voltage)]).toEqual([{ power: 12 }, { power: 12.5 }]);
  });

  it('when', () => {
    expect(attributes('01', u8('event'), when(hasAtLeast(1), u8('sat')))).toEqual({ event: 1 });
  });

  it('hasBytes', () => {
    expect(attributes('0102', when(hasBytes(1, 2), u8('event')))).toEqual({ event: 1 });
  });

  it('hasAtLeast', () => {
    expect(attributes('0102', when(hasAtLeast(3), u8('event')))).toEqual({});
  });

  it('hasWholeGroups', () => {
    const temperatures = when(hasWholeGroups(2), groups(u16('temperature#', { divisor: 10 })));
    expect(attributes('00c800fa', temperatures)).toEqual({ temperature1: 20, temperature2: 25 });
    expect(attributes('00c800', temperatures)).toEqual({});
  });

  it('startsWithText', () => {
    expect(attributes(hexOf('V1.2'), when(startsWithText('V'), text('version', 'rest')))).toEqual({ version: 'V1.2' });
  });

  it('isAscii', () => {
    const version = choose([[isAscii, text('version', 'rest')]], hex('version', 'rest'));
    expect([attributes('5631', version), attributes('ca01', version)]).toEqual([
      { version: 'V1' },
      { version: 'ca01' },
    ]);
  });

  it('nextNumber', () => {
    expect(attributes('05', when(nextNumber('u8', 1, 9), u8('event')))).toEqual({ event: 5 });
    expect(attributes('0a', when(nextNumber('u8', 1, 9), u8('event')))).toEqual({});
  });

  it('all', () => {
    expect(attributes('0501', when(all(hasBytes(2), nextNumber('u8', 5)), u16('event')))).toEqual({ event: 0x0501 });
  });

  it('text', () => {
    expect(attributes(`05${hexOf('truck')}`, text('name', 'u8'))).toEqual({ name: 'truck' });
    expect(attributes('4f4b0000', text('answer', 4, { trim: true }))).toEqual({ answer: 'OK' });
  });

  it('hex', () => {
    expect(attributes('0abc', hex('driverUniqueId', 2))).toEqual({ driverUniqueId: '0abc' });
  });

  it('skipSized', () => {
    expect(attributes('02ffff05', skipSized('u8'), u8('event'))).toEqual({ event: 5 });
  });

  it('numberFields', () => {
    expect(attributes(hexOf('12.5,x,80'), numberFields(',', ['power', undefined, 'batteryLevel']))).toEqual({
      power: 12.5,
      batteryLevel: 80,
    });
  });

  it('regexFields', () => {
    const versions = regexFields(/^(?<model>\w{1,10}) V(?<version>[\d.]{1,8})$/, { model: {}, version: {} });
    expect(attributes(hexOf('GT06 V1.2'), versions)).toEqual({ model: 'GT06', version: '1.2' });
  });

  it('numberList', () => {
    expect(attributes('0001fffe0003', numberList('axis', 'i16'))).toEqual({ axis: '[1,-2,3]' });
  });

  it('cell', () => {
    const fields = cell([
      ['mcc', 'u16'],
      ['mnc', 'u8'],
      ['lac', 'u16'],
      ['cid', 'u24'],
    ]);
    expect(read('00de01 2a8f 00b1c4'.replaceAll(' ', ''), fields).toPosition().network).toEqual({
      cells: [{ mcc: 222, mnc: 1, lac: 10_895, cid: 45_508 }],
    });
  });

  it('cellNetwork', () => {
    const neighbours = groups(
      cell([
        ['lac', 'u16'],
        ['cid', 'u16'],
      ]),
    );
    expect(read('00de01000a0014', cellNetwork('u16', 'u8'), neighbours).toPosition().network).toEqual({
      cells: [{ mcc: 222, mnc: 1, lac: 10, cid: 20 }],
    });
  });

  it('accessPoint', () => {
    expect(read('1c15a2b3c4d537', accessPoint('u8')).toPosition().network).toEqual({
      wifi: [{ mac: '1c:15:a2:b3:c4:d5', rssi: -55 }],
    });
  });

  it('accessPointTexts', () => {
    expect(read(hexOf('1c:15:a2:b3:c4:d5,-55'), accessPointTexts).toPosition().network).toEqual({
      wifi: [{ mac: '1c:15:a2:b3:c4:d5', rssi: -55 }],
    });
  });

  it('bcdPlace', () => {
    // 22°30.0000' and 114°06.0000', of which the bit for north is not set
    const { latitude, longitude } = read('22300000114060000c', bcdPlace(0x02, 0x04));
    expect([latitude, longitude]).toEqual([-22.5, 114.1]);
  });

  it('hemispheres', () => {
    const flags = number('u8', hemispheres({ valid: 0x01, south: 0x02, west: 0x04 }));
    const { valid, latitude, longitude } = read('01ff2b600119545003', fix.coordinates('u32', 1e6), flags);
    expect([valid, latitude, longitude]).toEqual([true, -33.5, 18.4372]);
  });

  it('binaryTime', () => {
    expect(read('1807010c0000', binaryTime('device')).deviceTime).toBe(noon);
  });

  it('bcdTime', () => {
    expect(read('240701120000', bcdTime('device')).deviceTime).toBe(noon);
    expect(read('010724120000', bcdTime('device', 'day first')).deviceTime).toBe(noon);
  });

  it('readBcdTimeByDay', () => {
    expect(readBcdTimeByDay(new Reader(fromHex('010724120000')), 'UTC')).toBe(noon);
  });
});

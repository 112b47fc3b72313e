import { describe, expect, it } from 'vitest';
import {
  CodecError,
  calendarReader,
  codecErrors,
  collect,
  crc8Nrsc5,
  crc16Arc,
  crc16CcittFalse,
  crc16Kermit,
  crc16Modbus,
  crc16X25,
  crc16Xmodem,
  exactUtcFromParts,
  fromHex,
  fromLatin1,
  fromZigzag,
  hmacHex,
  i32At,
  inflate,
  luhnDigit,
  nearestTimeOfDay,
  Reader,
  readBcdLatitude,
  readBcdLongitude,
  readOptional,
  readVarint,
  skipProtobuf,
  sum8,
  toHex,
  toLatin1,
  toUtf8,
  trailingCrc16,
  u16At,
  u32At,
  utcFromCalendar,
  utcFromIso,
  utcFromParts,
  utcToParts,
  utcToZone,
  WIRE,
  Writer,
  xor8,
  zoneToUtc,
} from '#codec';

/** The text of which the CRC catalogue gives the checksums. */
const check = fromLatin1('123456789');

describe('#codec', () => {
  it('Reader', () => {
    const reader = new Reader(fromHex('0359 0733 0001'.replaceAll(' ', '')));
    expect(reader.u16()).toBe(857);
    expect(reader.u16LE()).toBe(0x3307);
    expect(reader.remaining).toBe(2);
    expect(() => reader.u32()).toThrow('4 bytes wanted, 2 left');
  });

  it('Writer', () => {
    const bytes = new Writer().u8(0x78).u16(300).u16LE(300).latin1('OK').finish();
    expect(toHex(bytes)).toBe('78012c2c014f4b');
    // a checksum of all bytes before it
    expect(toHex(new Writer().latin1('123456789').crc16LE(crc16Modbus).finish()).slice(-4)).toBe('374b');
  });

  it('toHex', () => {
    expect(toHex(Uint8Array.of(0x0d, 0x0a))).toBe('0d0a');
  });

  it('fromHex', () => {
    expect(fromHex('7878')).toEqual(Uint8Array.of(0x78, 0x78));
    expect(() => fromHex('787')).toThrow('not hexadecimal');
  });

  it('toLatin1', () => {
    expect(toLatin1(Uint8Array.of(0x24, 0x4f, 0x4b), 1)).toBe('OK');
  });

  it('toUtf8', () => {
    expect(toUtf8(fromHex('5a6fc3abff'))).toBe('Zoë\ufffd');
    expect(toUtf8(fromHex('41424344'), 1, 3)).toBe('BC');
  });

  it('fromLatin1', () => {
    expect(fromLatin1('OK')).toEqual(Uint8Array.of(0x4f, 0x4b));
  });

  it('u16At', () => {
    expect(u16At(fromHex('00012c'), 1)).toBe(300);
  });

  it('i32At', () => {
    expect(i32At(fromHex('fffffffe'), 0)).toBe(-2);
  });

  it('u32At', () => {
    expect(u32At(fromHex('fffffffe'), 0)).toBe(4_294_967_294);
  });

  it('readBcdLatitude', () => {
    // 22°30.0000'
    expect(readBcdLatitude(new Reader(fromHex('22300000')))).toBe(22.5);
  });

  it('readBcdLongitude', () => {
    // 114°06.0000', and four bits of flags
    expect(readBcdLongitude(new Reader(fromHex('114060000c')))).toEqual({ degrees: 114.1, flags: 0x0c });
  });

  it('utcFromCalendar', () => {
    expect(utcFromCalendar(2024, 2, 29, 23, 59, 58)).toBe(Date.parse('2024-02-29T23:59:58Z'));
    // the 30th of February
    expect(utcFromCalendar(2024, 2, 30, 0, 0, 0)).toBeNaN();
  });

  it('utcFromIso', () => {
    expect(utcFromIso('2024-02-29T23:59:58+01:00')).toBe(Date.parse('2024-02-29T22:59:58Z'));
    expect(utcFromIso('2024-02-30T00:00:00Z')).toBeNaN();
  });

  it('utcFromParts', () => {
    expect(utcFromParts(24, 2, 29, 23, 59, 58)).toBe(Date.parse('2024-02-29T23:59:58Z'));
  });

  it('exactUtcFromParts', () => {
    expect(exactUtcFromParts(24, 2, 29, 23, 59, 58)).toBe(Date.parse('2024-02-29T23:59:58Z'));
    expect(() => exactUtcFromParts(25, 2, 29, 23, 59, 58)).toThrow(CodecError);
  });

  it('utcToParts', () => {
    expect(utcToParts(Date.parse('2024-02-29T23:59:58Z'))).toEqual([24, 2, 29, 23, 59, 58]);
  });

  it('nearestTimeOfDay', () => {
    const now = Date.parse('2024-07-01T23:59:58Z');
    // two seconds past midnight
    expect(nearestTimeOfDay(2_000, now)).toBe(Date.parse('2024-07-02T00:00:02Z'));
  });

  it('calendarReader', () => {
    const readDate = calendarReader('dMyHms', 'bcd');
    expect(readDate(new Reader(fromHex('290224235958')))).toBe(Date.parse('2024-02-29T23:59:58Z'));
  });

  it('crc16Arc', () => {
    expect(crc16Arc(check)).toBe(0xbb3d);
  });

  it('crc16Modbus', () => {
    expect(crc16Modbus(check)).toBe(0x4b37);
  });

  it('crc16X25', () => {
    expect(crc16X25(check)).toBe(0x906e);
    // a GT06 login: start, then what the checksum covers, the checksum, stop
    expect(crc16X25(fromHex('78780d01012345678901234500018cdd0d0a'), 2, 14)).toBe(0x8cdd);
  });

  it('crc16Kermit', () => {
    expect(crc16Kermit(check)).toBe(0x2189);
  });

  it('crc16Xmodem', () => {
    expect(crc16Xmodem(check)).toBe(0x31c3);
  });

  it('crc16CcittFalse', () => {
    expect(crc16CcittFalse(check)).toBe(0x29b1);
  });

  it('trailingCrc16', () => {
    const verify = trailingCrc16(crc16Modbus, 'little');
    expect(verify(fromHex('313233343536373839374b'))).toBe(true);
    expect(verify(fromHex('313233343536373839374c'))).toBe(false);
  });

  it('crc8Nrsc5', () => {
    expect(crc8Nrsc5(check)).toBe(0xf7);
  });

  it('xor8', () => {
    // the checksum of an NMEA sentence is that of the characters between $ and *
    expect(xor8(fromLatin1('$GPGLL,5300.97914,N,00259.98174,E,125926,A*28'), 1, 42)).toBe(0x28);
  });

  it('sum8', () => {
    expect(sum8(fromHex('ff0203'))).toBe(0x04);
  });

  it('luhnDigit', () => {
    // the IMEI 490154203237518 without its last digit
    expect(luhnDigit('49015420323751')).toBe(8);
  });

  it('hmacHex', () => {
    const digest = hmacHex('key', 'The quick brown fox jumps over the lazy dog', 8);
    expect(digest).toBe('f7bc83f4');
  });

  it('inflate', () => {
    const text = inflate(fromHex('780153f65136d233b0cecc4dcdb4f673b476b4343602002ff404e6'), 100);
    expect(toLatin1(text)).toBe('#L#2.0;imei;NA;A932');
    expect(() => inflate(Uint8Array.of(1, 2, 3), 100)).toThrow('no zlib stream');
  });

  it('codecErrors', () => {
    expect(codecErrors['bad-length']).toBe('A length field does not match the number of bytes');
  });

  it('CodecError', () => {
    const error = new CodecError('bad-value', 'hour 25', 7);
    expect([error.code, error.message]).toEqual(['bad-value', 'hour 25 (at byte 7)']);
  });

  it('readOptional', () => {
    const reader = new Reader(fromHex('05'));
    const found: number[] = [];
    readOptional(() => {
      found.push(reader.u8());
      found.push(reader.u16());
    });
    expect(found).toEqual([5]);
  });

  it('collect', () => {
    const limits = { bytes: 1_000, parts: 10, messages: 2 };
    const part = { of: 'photo', first: 7, total: 2 };
    const { pending } = collect([], { ...part, index: 1, bytes: fromLatin1('FF') }, limits);
    const { whole } = collect(pending, { ...part, index: 2, bytes: fromLatin1('D8') }, limits);
    expect(toLatin1(whole!)).toBe('FFD8');
  });

  it('zoneToUtc', () => {
    const wallClock = Date.parse('2024-07-01T12:00:00Z');
    expect(zoneToUtc(wallClock, 'GMT+8')).toBe(Date.parse('2024-07-01T04:00:00Z'));
    expect(zoneToUtc(wallClock, 'Europe/Rome')).toBe(Date.parse('2024-07-01T10:00:00Z'));
  });

  it('utcToZone', () => {
    const wallClock = utcToZone(Date.parse('2024-07-01T10:00:00Z'), 'Europe/Rome');
    expect(new Date(wallClock).toISOString()).toBe('2024-07-01T12:00:00.000Z');
  });

  it('WIRE', () => {
    const tag = 0x12;
    expect([tag >> 3, tag & 7]).toEqual([2, WIRE.bytes]);
  });

  it('readVarint', () => {
    expect(readVarint(new Reader(fromHex('ac02')))).toBe(300);
  });

  it('fromZigzag', () => {
    expect([0, 1, 2, 3].map(fromZigzag)).toEqual([0, -1, 1, -2]);
  });

  it('skipProtobuf', () => {
    // a string of two characters, then 5
    const reader = new Reader(fromHex('024f4b05'));
    skipProtobuf(reader, WIRE.bytes);
    expect(reader.u8()).toBe(5);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  crc8Nrsc5,
  crc16Arc,
  crc16CcittFalse,
  crc16Kermit,
  crc16Modbus,
  crc16X25,
  crc16Xmodem,
  luhnDigit,
  sum8,
  xor8,
} from '#codec';

const text = (value: string): Uint8Array => Uint8Array.from(value, (c) => c.charCodeAt(0));
/** What the CRC catalogue gives check values for. */
const CHECK = text('123456789');

interface Model {
  readonly polynomial: number;
  readonly init: number;
  readonly isReflected: boolean;
  readonly xorOut: number;
}

/** By the definition, a bit at a time, on polynomials as the catalogue writes them. */
function bitwise({ polynomial, init, isReflected, xorOut }: Model, bytes: Uint8Array): number {
  const reverse = (value: number, bits: number): number =>
    Number.parseInt(value.toString(2).padStart(bits, '0').split('').reverse().join(''), 2);
  let crc = init;
  for (const byte of bytes) {
    crc ^= (isReflected ? reverse(byte, 8) : byte) << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? polynomial : 0)) & 0xffff;
  }
  return (isReflected ? reverse(crc, 16) : crc) ^ xorOut;
}

const catalogue = [
  ['ARC', crc16Arc, 0xbb3d, { polynomial: 0x8005, init: 0, isReflected: true, xorOut: 0 }],
  ['MODBUS', crc16Modbus, 0x4b37, { polynomial: 0x8005, init: 0xffff, isReflected: true, xorOut: 0 }],
  ['X-25', crc16X25, 0x906e, { polynomial: 0x1021, init: 0xffff, isReflected: true, xorOut: 0xffff }],
  ['KERMIT', crc16Kermit, 0x2189, { polynomial: 0x1021, init: 0, isReflected: true, xorOut: 0 }],
  ['XMODEM', crc16Xmodem, 0x31c3, { polynomial: 0x1021, init: 0, isReflected: false, xorOut: 0 }],
  ['IBM-3740', crc16CcittFalse, 0x29b1, { polynomial: 0x1021, init: 0xffff, isReflected: false, xorOut: 0 }],
] as const;

describe.each(catalogue)('CRC-16/%s', (_, crc, check, model) => {
  it('has the check value of the catalogue', () => {
    expect(crc(CHECK)).toBe(check);
  });

  it('is what the definition gives, whatever the length', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => crc(bytes) === bitwise(model, bytes)));
  });

  it('looks at its range alone', () => {
    const around = Uint8Array.of(0xff, ...CHECK, 0xee, 0xdd);
    expect(crc(around, 1, 10)).toBe(check);
    expect(crc(around, 4, 4)).toBe(crc(new Uint8Array(0)));
  });
});

it('xor8 and sum8 run over a range, sum8 modulo 256', () => {
  expect(xor8(Uint8Array.of(0x0f, 0xf0, 0x01))).toBe(0xfe);
  expect(xor8(Uint8Array.of(9, 0x0f, 0xf0, 9), 1, 3)).toBe(0xff);
  expect(sum8(Uint8Array.of(0xff, 0x02))).toBe(0x01);
  expect(sum8(Uint8Array.of(9, 1, 2, 9), 1, 3)).toBe(3);
});

it('luhnDigit completes an IMEI', () => {
  // 3GPP TS 23.003, annex B: 490154203237518
  expect(luhnDigit('49015420323751')).toBe(8);
  expect(luhnDigit('7992739871')).toBe(3);
  expect(luhnDigit('0')).toBe(0);
});

describe('crc8Nrsc5', () => {
  it('gives the check value of the catalogue, also of a part', () => {
    expect(crc8Nrsc5(CHECK)).toBe(0xf7);
    expect(crc8Nrsc5(text('x123456789y'), 1, 10)).toBe(0xf7);
  });
});

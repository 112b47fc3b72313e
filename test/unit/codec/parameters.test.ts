import { describe, expect, it } from 'vitest';
import { bytesParameter, integerParameter, isHex, textParameter, ticketNumber } from '#codec';

const bad = expect.objectContaining({ code: 'bad-parameter' });

describe('textParameter', () => {
  it('takes printable ASCII up to a length', () => {
    expect(textParameter({ data: 'RELAY,1#\r\n' }, 'data', 20)).toBe('RELAY,1#\r\n');
    expect(textParameter({ data: 12 }, 'data', 20)).toBe('12');
    for (const data of [undefined, '', 'ü', '\0', 'x'.repeat(21)])
      expect(() => textParameter({ data }, 'data', 20)).toThrow(bad);
  });
});

describe('integerParameter', () => {
  it('takes whole numbers, also as text', () => {
    expect(integerParameter({ n: '100' }, 'n', 0, 100)).toBe(100);
    expect(integerParameter({ n: -5 }, 'n', -5, 0)).toBe(-5);
    for (const n of [undefined, '', '1.5', 1e21, 101, -1, true, Number.NaN])
      expect(() => integerParameter({ n }, 'n', 0, 100)).toThrow(bad);
  });
});

describe('bytesParameter', () => {
  it('takes pairs of hex digits', () => {
    expect(bytesParameter({ data: '00Ff' }, 'data', 2)).toEqual(Uint8Array.of(0, 255));
    for (const data of ['0', 'zz', '000102']) expect(() => bytesParameter({ data }, 'data', 2)).toThrow(bad);
    expect(isHex('')).toBe(false);
  });
});

describe('ticketNumber', () => {
  it('takes decimal digits up to a bound', () => {
    expect(ticketNumber('65535', 65_535)).toBe(65_535);
    for (const ticket of ['', 'x', '-1', '65536', '1'.repeat(16)])
      expect(() => ticketNumber(ticket, 65_535)).toThrow(bad);
  });
});

import { describe, expect, it } from 'vitest';
import { fromLatin1, toLatin1 } from '#codec';
import {
  ddmmFromDegrees,
  isDigits,
  parseDecimal,
  parseTime,
  utcFromDdmmyyHhmmss,
  utcFromDigits,
  utcToDigits,
} from '#codec/text';

describe('times as digits', () => {
  it('reads day and time of text sentences', () => {
    expect(utcFromDdmmyyHhmmss('221215', '164549')).toBe(Date.UTC(2015, 11, 22, 16, 45, 49));
  });

  it('knows no time that no calendar has', () => {
    expect(utcFromDdmmyyHhmmss('180813', '160169')).toBeNaN();
    expect(utcFromDigits('20090230000000')).toBeNaN();
    expect(utcFromDigits('00000000000000')).toBeNaN();
    expect(parseTime('251361', 'HHmmss')).toBeNaN();
    expect(parseTime('31-02-2024', 'dd-MM-yyyy')).toBeNaN();
  });

  it('reads fourteen digits, and writes them', () => {
    expect(utcFromDigits('20090214093254')).toBe(Date.UTC(2009, 1, 14, 9, 32, 54));
    expect(utcToDigits(Date.UTC(2009, 1, 14, 9, 32, 54))).toBe('20090214093254');
  });

  it('does not read a year of the first century as one of the twentieth', () => {
    expect(new Date(utcFromDigits('00420102030405')).toISOString()).toBe('0042-01-02T03:04:05.000Z');
  });
});

describe('decimalOf', () => {
  it.each([
    ['12', 12],
    ['-3.50', -3.5],
    ['+0800', 800],
    ['7.', 7],
    ['-0.165335', -0.165335],
    ['121.354335', 121.354335],
    ['123456789012.345', 123456789012.345],
  ])('%s', (text, value) => expect(parseDecimal(text)).toBe(value));

  it.each(['', '-', '.', '.5', '1.2.3', '--1', '12-', '1e3', 'nan', 'Infinity', '0x10', ' 1', '1,2', '9'.repeat(16)])(
    'refuses "%s"',
    (text) => expect(parseDecimal(text)).toBeUndefined(),
  );
});

describe('toLatin1', () => {
  it('is the inverse of fromLatin1 for text of any length', () => {
    const text = Array.from({ length: 10_000 }, (_, i) => String.fromCharCode(i % 256)).join('');
    expect(toLatin1(fromLatin1(text))).toBe(text);
    expect(toLatin1(fromLatin1(text), 65, 68)).toBe('ABC');
  });
});

describe('isDigits', () => {
  it('requires the given number of digits and nothing else', () => {
    expect(isDigits('20090214093254', 14)).toBe(true);
    expect(isDigits('2009021409325', 14)).toBe(false);
    expect(isDigits('2009021409325/', 14)).toBe(false);
    expect(isDigits('2009021409325:', 14)).toBe(false);
  });
});

describe('degrees and minutes', () => {
  // 48.125° is 48° 7.5'; 1.0083333° is 1° 0.5'
  it('are written with the given number of digits', () => {
    expect(ddmmFromDegrees(48.125, 2)).toBe('4807.5000');
    expect(ddmmFromDegrees(-1.0083333333, 3, 5)).toBe('00100.50000');
    expect(ddmmFromDegrees(0, 3)).toBe('00000.0000');
  });

  it('carry into the degrees where the minutes round up to sixty', () => {
    expect(ddmmFromDegrees(47.99999999, 2)).toBe('4800.0000');
  });
});

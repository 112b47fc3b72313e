import { describe, expect, test } from 'vitest';
import { decodeAnswer } from '../../../src/gateway/connection/answer-text.ts';

const latin1 = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');
const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

describe('an answer', () => {
  // 中国 in GBK and in UTF-8, Ёж in windows-1251
  test.each([
    ['ASCII stays', { text: 'OK' }, {}, 'OK'],
    ['text of the protocol’s own decoder stays', { text: '中国 é' }, { device: 'windows-1251' }, '中国 é'],
    ['bytes that were read one by one are UTF-8', { text: latin1('e4b8ade59bbd') }, {}, '中国'],
    ['or what the device option names', { text: latin1('d6d0b9fa') }, { device: 'gbk' }, '中国'],
    [
      'also where the protocol has a character set',
      { text: latin1('a8e6') },
      { device: 'windows-1251', protocol: 'utf-8' },
      'Ёж',
    ],
    ['text in no known character set stays', { text: latin1('d6d0b9fa') }, {}, latin1('d6d0b9fa')],
    ['bytes are text where the protocol says so', { bytes: bytes('e4b8ade59bbd0d0a') }, { protocol: 'utf-8' }, '中国'],
    ['or the device', { bytes: bytes('a8e6') }, { device: 'windows-1251' }, 'Ёж'],
  ])('%s', (_, answer, charsets, text) => {
    expect(decodeAnswer(answer, charsets)).toEqual({ text });
  });

  test.each([
    ['invalid in the character set', '01ff', { protocol: 'utf-8' }],
    ['with control characters', '4f4b0001', { protocol: 'utf-8' }],
    ['of a protocol whose bytes are binary', '4142', {}],
    ['in an unknown character set', '4142', { device: 'klingon' }],
  ])('stays bytes: %s', (_, hex, charsets) => {
    expect(decodeAnswer({ bytes: bytes(hex) }, charsets)).toEqual({ bytes: bytes(hex) });
  });

  test('without contents has none', () => {
    expect(decodeAnswer({}, { device: 'gbk' })).toEqual({});
  });
});

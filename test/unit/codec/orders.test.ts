import { describe, expect, it } from 'vitest';
import {
  type BodyField,
  binaryCommand,
  bytesBodyField,
  type CommandParameters,
  type DeviceOptions,
  literalBodyField,
  numberBodyField,
  textBodyField,
  toHex,
} from '#codec';

const send = (body: Uint8Array): Uint8Array => Uint8Array.of(0x2a, ...body);
const write = (pieces: readonly BodyField[], params: CommandParameters = {}, options: DeviceOptions = {}): string =>
  toHex(
    binaryCommand('An order', send, pieces).encode(params, {
      state: undefined,
      deviceId: '1',
      ticket: '0',
      now: 0,
      options,
    }),
  );
const refusal = expect.objectContaining({ name: 'CodecError', code: 'bad-parameter' });

describe('a binary command', () => {
  it('writes its fields in order and passes the body to the protocol', () => {
    const pieces = [
      literalBodyField('0102'),
      numberBodyField('level', 'Level', 'u8', [0, 9]),
      textBodyField('word', 'Word'),
      literalBodyField('ff'),
    ];
    expect(write(pieces, { level: 7, word: 'ok' })).toBe('2a0102076f6bff');
    expect(write([])).toBe('2a');
  });

  it('requires the parameters of all its fields', () => {
    const { title, params, repeatable } = binaryCommand('An order', send, [
      literalBodyField('00'),
      numberBodyField('level', 'Level', 'u8', [0, 9]),
      numberBodyField('port', 'Port', 'u16', [1, 65_535], { value: 80 }),
      textBodyField('host', 'Host', { option: 'host' }),
      bytesBodyField('data', 'Data', 4),
    ]);
    expect({ title, params, repeatable }).toEqual({
      title: 'An order',
      params: {
        level: { type: 'number', title: 'Level', required: true },
        port: { type: 'number', title: 'Port' },
        host: { type: 'string', title: 'Host' },
        data: { type: 'string', title: 'Data', required: true },
      },
      repeatable: true,
    });
    expect(binaryCommand('Cut', send, [], 'once').repeatable).toBe(false);
  });
});

describe('numbers', () => {
  it.each([
    ['u8', '12'],
    ['u16', '0012'],
    ['u32', '00000012'],
    ['u16LE', '1200'],
    ['u32LE', '12000000'],
  ] as const)('are written as %s', (width, hex) => {
    expect(write([numberBodyField('n', 'N', width, [0, 255])], { n: 0x12 })).toBe(`2a${hex}`);
  });

  it('stay within their bounds', () => {
    const piece = numberBodyField('n', 'N', 'u8', [1, 9]);
    for (const n of [0, 10, 1.5, 'x', undefined]) expect(() => write([piece], { n })).toThrow(refusal);
  });

  it('fall back on an option of the device, then on a value', () => {
    const piece = numberBodyField('n', 'N', 'u8', [1, 9], { option: 'usual', value: 3 });
    expect(write([piece], { n: 5 }, { usual: 4 })).toBe('2a05');
    expect(write([piece], {}, { usual: 4 })).toBe('2a04');
    expect(write([piece])).toBe('2a03');
    expect(() => write([piece], {}, { usual: 10 })).toThrow(refusal);
  });
});

describe('text and bytes', () => {
  it('are preceded by their length if requested', () => {
    expect(write([textBodyField('word', 'Word', { length: 'u8' })], { word: 'abc' })).toBe('2a03616263');
    expect(write([bytesBodyField('data', 'Data', 4)], { data: 'C0ffee' })).toBe('2ac0ffee');
    expect(write([bytesBodyField('data', 'Data', 4, 'u8')], { data: 'C0ffee' })).toBe('2a03c0ffee');
  });

  it('refuse values that are missing, too long or of another type', () => {
    const word = textBodyField('word', 'Word', { most: 3, option: 'usual' });
    expect(write([word], {}, { usual: 'abc' })).toBe('2a616263');
    expect(() => write([word])).toThrow(refusal);
    expect(() => write([word], { word: 'abcd' })).toThrow(refusal);
    expect(() => write([word], { word: 'ä' })).toThrow(refusal);
    const data = bytesBodyField('data', 'Data', 2);
    for (const value of [undefined, 'xy', '012', '010203'])
      expect(() => write([data], { data: value })).toThrow(refusal);
  });
});

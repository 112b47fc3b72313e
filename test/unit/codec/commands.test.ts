import { describe, expect, it } from 'vitest';
import {
  asCommand,
  type CommandParameters,
  CUSTOM_TEXT,
  degreesWithLetters,
  type EncodeContext,
  integerPlaceholder,
  NOT_REPEATABLE,
  optionalPlaceholder,
  readAll,
  readBetween,
  readLengthPrefixed,
  readUntil,
  switchPlaceholder,
  textPlaceholder,
  toLatin1,
  wrapWith,
} from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

const context: EncodeContext<undefined> = {
  state: undefined,
  deviceId: '123',
  options: {},
  ticket: '0',
  now: 0,
};

describe('commands of a text protocol', () => {
  const command = wrapWith<undefined>((text, { deviceId }) => `<${deviceId}:${text}>`);
  const encoded = (made: ReturnType<typeof command>, params: CommandParameters = {}) =>
    toLatin1(made.encode(params, context));

  it('are wrapped as the protocol requires', () => {
    expect(encoded(command('Restart', 'RST'))).toBe('<123:RST>');
    expect(encoded(command('Any', '{data}', CUSTOM_TEXT), { data: 'A{data}$&' })).toBe('<123:A{data}$&>');
    expect(encoded(command('By the device', ({ deviceId }) => `W${deviceId}`))).toBe('<123:W123>');
  });

  it('have placeholders that are parameters', () => {
    const made = command('Output', 'OUT{index},{enable},{note}{other}', {
      ...NOT_REPEATABLE,
      placeholders: {
        index: integerPlaceholder('Output', 1, 4),
        enable: switchPlaceholder('On or off', 'ON', 'OFF'),
        note: optionalPlaceholder(textPlaceholder('Note', 3), '-'),
      },
    });
    expect(made.repeatable).toBe(false);
    expect(made.params).toEqual({
      index: { type: 'number', title: 'Output', required: true },
      enable: { type: 'boolean', title: 'On or off', required: true },
      note: { type: 'string', title: 'Note' },
    });
    expect(encoded(made, { index: 2, enable: false })).toBe('<123:OUT2,OFF,-{other}>');
    expect(encoded(made, { index: '3', enable: true, note: 'abc' })).toBe('<123:OUT3,ON,abc{other}>');
    for (const wrong of [{ index: 5, enable: true }, { index: 1 }, { index: 1, enable: true, note: 'abcd' }])
      expect(() => made.encode(wrong, context)).toThrow(expect.objectContaining({ code: 'bad-parameter' }));
  });

  it('contain no character of more than one byte', () => {
    const made = command('Word', () => 'ж');
    expect(() => made.encode({}, context)).toThrow(expect.objectContaining({ code: 'bad-parameter' }));
  });
});

describe('a simulated device', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const meaning = asCommand((frame) => toLatin1(frame));

  it('separates the messages of the server', () => {
    expect(readAll(meaning)(bytes(''))).toBeUndefined();
    expect(readAll(meaning)(bytes('AB'))).toMatchObject({ bytes: 2, message: { type: 'command', text: 'AB' } });
    expect(readUntil('#', meaning)(bytes('AB'))).toBeUndefined();
    expect(readUntil('#', meaning)(bytes('AB#C'))).toMatchObject({ bytes: 3, message: { text: 'AB#' } });
    expect(readBetween(0x7e, meaning)(bytes('A~B'))).toBeUndefined();
    expect(readBetween(0x7e, meaning)(bytes('AB'))).toBeUndefined();
    expect(readBetween(0x7e, meaning)(bytes('A~B~C~'))).toMatchObject({ bytes: 4, message: { text: '~B~' } });
    const counted = readLengthPrefixed(1, (buffer) => buffer[0]! - 0x30, meaning);
    expect(counted(bytes(''))).toBeUndefined();
    expect(counted(bytes('3A'))).toBeUndefined();
    expect(counted(bytes('3ABC'))).toMatchObject({ bytes: 3, message: { text: '3AB' } });
  });

  it('writes coordinates and times', () => {
    expect(degreesWithLetters({ latitude: 48.125, longitude: -11.5 })).toBe('4807.5000,N,01130.0000,W');
    expect(degreesWithLetters({ latitude: -48.125, longitude: 11.5 }, 5, '')).toBe('4807.50000S,01130.00000E');
    expect(utcToDdmmyyHhmmss(Date.UTC(2024, 5, 1, 2, 3, 4))).toEqual(['010624', '020304']);
  });
});

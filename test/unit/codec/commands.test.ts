import { describe, expect, it } from 'vitest';
import {
  ANY_TEXT,
  type CommandParameters,
  commandIn,
  dayAndTimeOfUtc,
  type EncodeContext,
  integerBlank,
  lettered,
  ONCE,
  optionalBlank,
  readsAll,
  readsBetween,
  readsCounted,
  readsTo,
  sealedBy,
  switchBlank,
  textBlank,
  toLatin1,
} from '#codec';

const context: EncodeContext<undefined> = {
  state: undefined,
  deviceId: '123',
  options: {},
  ticket: '0',
  now: 0,
};

describe('commands of a text protocol', () => {
  const command = sealedBy<undefined>((text, { deviceId }) => `<${deviceId}:${text}>`);
  const encoded = (made: ReturnType<typeof command>, params: CommandParameters = {}) =>
    toLatin1(made.encode(params, context));

  it('are sealed as the protocol wants', () => {
    expect(encoded(command('Restart', 'RST'))).toBe('<123:RST>');
    expect(encoded(command('Any', '{data}', ANY_TEXT), { data: 'A{data}$&' })).toBe('<123:A{data}$&>');
    expect(encoded(command('By the device', ({ deviceId }) => `W${deviceId}`))).toBe('<123:W123>');
  });

  it('have blanks that are parameters', () => {
    const made = command('Output', 'OUT{index},{enable},{note}{other}', {
      ...ONCE,
      blanks: {
        index: integerBlank('Output', 1, 4),
        enable: switchBlank('On or off', 'ON', 'OFF'),
        note: optionalBlank(textBlank('Note', 3), '-'),
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

  it('hold no character of more than a byte', () => {
    const made = command('Word', () => 'ж');
    expect(() => made.encode({}, context)).toThrow(expect.objectContaining({ code: 'bad-parameter' }));
  });
});

describe('a simulated device', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const meaning = commandIn((frame) => toLatin1(frame));

  it('cuts what the server says', () => {
    expect(readsAll(meaning)(bytes(''))).toBeUndefined();
    expect(readsAll(meaning)(bytes('AB'))).toMatchObject({ bytes: 2, says: { type: 'command', text: 'AB' } });
    expect(readsTo(0x23, meaning)(bytes('AB'))).toBeUndefined();
    expect(readsTo(0x23, meaning)(bytes('AB#C'))).toMatchObject({ bytes: 3, says: { text: 'AB#' } });
    expect(readsBetween(0x7e, meaning)(bytes('A~B'))).toBeUndefined();
    expect(readsBetween(0x7e, meaning)(bytes('AB'))).toBeUndefined();
    expect(readsBetween(0x7e, meaning)(bytes('A~B~C~'))).toMatchObject({ bytes: 4, says: { text: '~B~' } });
    const counted = readsCounted(1, (buffer) => buffer[0]! - 0x30, meaning);
    expect(counted(bytes(''))).toBeUndefined();
    expect(counted(bytes('3A'))).toBeUndefined();
    expect(counted(bytes('3ABC'))).toMatchObject({ bytes: 3, says: { text: '3AB' } });
  });

  it('writes places and times', () => {
    expect(lettered({ latitude: 48.125, longitude: -11.5 })).toBe('4807.5000,N,01130.0000,W');
    expect(lettered({ latitude: -48.125, longitude: 11.5 }, 5, '')).toBe('4807.50000S,01130.00000E');
    expect(dayAndTimeOfUtc(Date.UTC(2024, 5, 1, 2, 3, 4))).toEqual(['010624', '020304']);
  });
});

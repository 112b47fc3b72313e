import { type CommandDefinition, crc16Arc, fromLatin1, privilegedWords, textParameter, Writer } from '#codec';

const [COMMAND, TEXT] = [0xff, 0];
const MAX_TEXT_CHARS = 1_000;

/** Source: Wialon Combine 1.04, command packet. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: {
    title: 'Text for the device',
    params: { data: { type: 'string', title: 'Text', required: true } },
    repeatable: true,
    encode: (params, { now }) => {
      const text = fromLatin1(textParameter(params, 'data', MAX_TEXT_CHARS));
      const writer = new Writer(text.length + 12)
        .u16(0x4040)
        .u8(COMMAND)
        .u16(text.length + 5);
      writer
        .u32(Math.floor(now / 1000))
        .u8(TEXT)
        .raw(text);
      return writer.crc16(crc16Arc).finish();
    },
  },
};

export const privileged: readonly RegExp[] = [...privilegedWords('@@\\xff.{6}\\x00'), /(?:^|[^a-z0-9])L\d{1,2}=/i];

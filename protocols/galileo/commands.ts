import {
  type CommandDefinition,
  crc16Modbus,
  integerPlaceholder,
  NOT_REPEATABLE,
  privilegedWords,
  textPlaceholder,
  ticketNumber,
  Writer,
  wrapWith,
} from '#codec';
import type { State } from './decode.ts';

const MAX_TEXT_CHARS = 255;

/** Packet of tags 03 (IMEI), 04, E0 (number of the command) and E1 (its text). */
const command = wrapWith<State>((text, { deviceId, ticket }) => {
  const writer = new Writer(64 + text.length).u8(0x01).u16LE(deviceId.length + text.length + 11);
  writer.u8(0x03).latin1(deviceId).u8(0x04).u16LE(0);
  writer.u8(0xe0).u32LE(ticketNumber(ticket, 0xffff_ffff));
  writer.u8(0xe1).u8(text.length).latin1(text);
  return writer.crc16LE(crc16Modbus).finish();
});

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: command('Text as the device takes it', '{data}', {
    placeholders: { data: textPlaceholder('Text, such as status', MAX_TEXT_CHARS) },
  }),
  outputControl: command('Set an output', 'Out {index},{data}', {
    ...NOT_REPEATABLE,
    placeholders: { index: integerPlaceholder('Output', 0, 63), data: textPlaceholder('1 on, 0 off', 16) },
  }),
};

export const privileged: readonly RegExp[] = [...privilegedWords('\\xe1.'), /addkey|wrcfg/i];

import {
  type CommandDefinition,
  type CommandParameters,
  crc16Modbus,
  type EncodeContext,
  integerParameter,
  textParameter,
  ticketNumber,
  Writer,
} from '#codec';
import type { State } from './decode.ts';

const LONGEST_TEXT = 255;

/** Packet of tags 03 (IMEI), 04, E0 (number of the command) and E1 (its text). */
function packet(text: string, { deviceId, ticket }: EncodeContext<State>): Uint8Array {
  const writer = new Writer(64 + text.length).u8(0x01).u16LE(deviceId.length + text.length + 11);
  writer
    .u8(0x03)
    .latin1(deviceId)
    .u8(0x04)
    .u16LE(0)
    .u8(0xe0)
    .u32LE(ticketNumber(ticket, 0xffff_ffff))
    .u8(0xe1)
    .u8(text.length)
    .latin1(text);
  return writer.u16LE(crc16Modbus(writer.finish())).finish();
}

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: {
    title: 'Text as the device takes it',
    params: { data: { type: 'string', title: 'Text, such as status', required: true } },
    repeatable: true,
    encode: (params, context) => packet(textParameter(params, 'data', LONGEST_TEXT), context),
  },
  outputControl: {
    title: 'Set an output',
    params: {
      index: { type: 'number', title: 'Output', required: true },
      data: { type: 'string', title: '1 on, 0 off', required: true },
    },
    repeatable: false,
    encode: (params, context) => packet(outputText(params), context),
  },
};

const outputText = (params: CommandParameters): string =>
  `Out ${integerParameter(params, 'index', 0, 63)},${textParameter(params, 'data', 16)}`;

export const dangerous: readonly RegExp[] = [/^\s*out\b/i, /^\s*setout/i];

import {
  CodecError,
  type CommandDefinition,
  type EncodeContext,
  fromLatin1,
  textParameter,
  ticketNumber,
  Writer,
} from '#codec';
import type { State } from './decode.ts';
import { encodePackage, wrap } from './frame.ts';

const COMMAND = 0x80;
const KIND_COMMAND = 1;
const IMEI = /^\d{15}$/;
const LONGEST_TEXT = 1_000;

/** Package 80: kind, number of the server, text. */
function encode(text: string, { state, deviceId, ticket }: EncodeContext<State>): Uint8Array {
  const content = new Writer(5 + text.length).u8(KIND_COMMAND).u32(ticketNumber(ticket, 0xffff_ffff));
  const bytes = encodePackage(COMMAND, 0, content.raw(fromLatin1(text)).finish());
  if (!state.isDatagram) return bytes;
  if (!IMEI.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no IMEI`);
  return wrap(bytes, deviceId);
}

const fixed = (title: string, text: string, repeatable: boolean): CommandDefinition<State> => ({
  title,
  params: {},
  repeatable,
  encode: (_, context) => encode(text, context),
});

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: {
    title: 'Text as the device takes it',
    params: { data: { type: 'string', title: 'Text, mostly ending with #', required: true } },
    repeatable: true,
    encode: (params, context) => encode(textParameter(params, 'data', LONGEST_TEXT), context),
  },
  engineStop: fixed('Cut off the engine', 'RELAY,1#', false),
  engineResume: fixed('Let the engine run', 'RELAY,0#', false),
  positionSingle: fixed('Ask where the device is', 'WHERE#', true),
  rebootDevice: fixed('Begin anew', 'RESET#', false),
};

export const dangerous: readonly RegExp[] = [/(?:^|[^a-z])(?:relay|out\d?|factory|reset)(?![a-z])/i];

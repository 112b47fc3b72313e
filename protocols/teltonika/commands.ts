import {
  CodecError,
  type CommandDefinition,
  type CommandParameter,
  type CommandParameters,
  type EncodeContext,
  fromHex,
  fromLatin1,
  Writer,
} from '#codec';
import { CODEC_12, CODEC_14, imeiDigits, itemPacket } from './packet.ts';
import type { State } from './state.ts';

const REQUEST = 0x05;

/** Codec 12; codec 14 where the device shall compare the IMEI before it obeys (wiki, "Codec 12", "Codec 14"). */
function wrap(content: Uint8Array, { options, deviceId }: EncodeContext<State>): Uint8Array {
  if (options['checkImei'] !== true) return itemPacket(CODEC_12, REQUEST, content);
  if (!/^\d{1,16}$/.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no IMEI: codec 14 needs one`);
  const addressed = new Writer(content.length + 8).hex(imeiDigits(deviceId)).raw(content).finish();
  return itemPacket(CODEC_14, REQUEST, addressed);
}

/** Pairs of hex digits are the bytes themselves; anything else is text. No line end is added. */
function customContent({ data }: CommandParameters): Uint8Array {
  if (typeof data !== 'string' || data === '') throw new CodecError('bad-parameter', 'data is missing');
  if (data.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(data)) return fromHex(data);
  if (/[^\0-\xff]/.test(data)) throw new CodecError('bad-parameter', 'data has characters beyond one byte');
  return fromLatin1(data);
}

const fixed = (title: string, text: string): CommandDefinition<State> => ({
  title,
  params: {},
  repeatable: false,
  encode: (_, context) => wrap(fromLatin1(text), context),
});

const data: CommandParameter = { type: 'string', title: 'Text, or bytes as pairs of hex digits', required: true };

/** SMS/GPRS command list of the wiki. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  engineStop: fixed('Stop the engine: output 1 on', 'setdigout 1'),
  engineResume: fixed('Let the engine run: output 1 off', 'setdigout 0'),
  custom: {
    title: 'Any command of the device',
    params: { data },
    repeatable: true,
    encode: (params, context) => wrap(customContent(params), context),
  },
};

/** Outputs, engine and doors over LV-CAN, factory settings, stored records; `setdigout` in hex as well. */
export const dangerous: readonly RegExp[] = [
  /\bsetdigout\b/i,
  /7365746469676f7574/i,
  /\blvcan(?:un)?(?:block|lock|open|close)/i,
  /\bdefaultcfg\b/i,
  /\bdeleterecords\b/i,
];

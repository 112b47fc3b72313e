import {
  CodecError,
  type EncodeContext,
  fromHex,
  fromLatin1,
  integerParameter,
  type Placeholder,
  textPlaceholder,
  toLatin1,
  Writer,
} from '#codec';
import { CODEC_12, CODEC_14, ITEM } from './codecs.ts';
import { imeiDigits, itemPacket } from './packet.ts';
import type { State } from './state.ts';

/** Codec 12; codec 14 where the device shall compare the IMEI before it obeys (wiki, "Codec 12", "Codec 14"). */
export function inPacket(text: string, { options, deviceId }: EncodeContext<State>): Uint8Array {
  const content = fromLatin1(text);
  if (options['checkImei'] !== true) return itemPacket(CODEC_12, ITEM.request, content);
  if (!/^\d{1,16}$/.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no IMEI: codec 14 needs one`);
  const addressed = new Writer(content.length + 8).hex(imeiDigits(deviceId)).raw(content).finish();
  return itemPacket(CODEC_14, ITEM.request, addressed);
}

/** Pairs of hex digits are the bytes themselves; anything else is text. No line end is added. */
export const textOrBytes: Placeholder = {
  parameter: { type: 'string', title: 'Text, or bytes as pairs of hex digits', required: true },
  write: ({ data }) => {
    if (typeof data !== 'string' || data === '') throw new CodecError('bad-parameter', 'data is missing');
    if (data.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(data)) return toLatin1(fromHex(data));
    if (/[^\0-\xff]/.test(data)) throw new CodecError('bad-parameter', 'data has characters beyond one byte');
    return data;
  },
};

const MAX_OUTPUTS = 4;

/** A mark for each output up to the one that is set, `?` leaves one as it is; it begins the text that is set. */
export const output: Placeholder = {
  parameter: { type: 'number', title: 'Output, from 1', required: true },
  write: (params) => '?'.repeat(integerParameter(params, 'index', 1, MAX_OUTPUTS) - 1),
};

/** Seconds stand behind the outputs in the same way. */
export const seconds: Placeholder = {
  parameter: { type: 'number', title: 'For so long; without it for good' },
  write: (params) => {
    if (params['seconds'] === undefined) return '';
    const others = '? '.repeat(integerParameter(params, 'index', 1, MAX_OUTPUTS) - 1);
    return ` ${others}${integerParameter(params, 'seconds', 1, 0xffff)}`;
  },
};

/** A semicolon would begin another one. */
export const parameterValue: Placeholder = {
  parameter: { type: 'string', title: 'Its new value', required: true },
  write: (params) => {
    const value = textPlaceholder('', 200).write(params, 'value');
    if (value.includes(';')) throw new CodecError('bad-parameter', 'value has a semicolon, which begins another one');
    return value;
  },
};

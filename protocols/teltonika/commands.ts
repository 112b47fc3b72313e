import {
  CodecError,
  type CommandDefinition,
  type CommandParameter,
  type CommandParameters,
  type EncodeContext,
  fromHex,
  fromLatin1,
  integerParameter,
  textParameter,
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

const inquiry = (title: string, text: string): CommandDefinition<State> => ({
  ...fixed(title, text),
  repeatable: true,
});

const MOST_OUTPUTS = 4;
const MOST_ID = 65_535;
const SECONDS = 0xffff;

/** `setdigout ?1`: a mark for each output up to the one that is set, `?` leaves one as it is; seconds behind them. */
function setOutput(params: CommandParameters): string {
  const index = integerParameter(params, 'index', 1, MOST_OUTPUTS);
  const marks = '?'.repeat(index - 1);
  const text = `setdigout ${marks}${integerParameter(params, 'data', 0, 1)}`;
  if (params['seconds'] === undefined) return text;
  return `${text} ${'? '.repeat(index - 1)}${integerParameter(params, 'seconds', 1, SECONDS)}`;
}

function setParameter(params: CommandParameters): string {
  const value = textParameter(params, 'value', 200);
  if (value.includes(';')) throw new CodecError('bad-parameter', 'value has a semicolon, which begins another one');
  return `setparam ${integerParameter(params, 'id', 0, MOST_ID)}:${value}`;
}

const parameterId: CommandParameter = { type: 'number', title: 'Number of the parameter', required: true };

const data: CommandParameter = { type: 'string', title: 'Text, or bytes as pairs of hex digits', required: true };

/** SMS/GPRS command list of the wiki. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  engineStop: fixed('Stop the engine: output 1 on', 'setdigout 1'),
  engineResume: fixed('Let the engine run: output 1 off', 'setdigout 0'),
  outputControl: {
    title: 'Set an output',
    params: {
      index: { type: 'number', title: 'Output, from 1', required: true },
      data: { type: 'number', title: '1 on, 0 off', required: true },
      seconds: { type: 'number', title: 'For so long; without it for good' },
    },
    repeatable: false,
    encode: (params, context) => wrap(fromLatin1(setOutput(params)), context),
  },
  positionSingle: inquiry('Ask for the place', 'getgps'),
  getVersion: inquiry('Ask for firmware, hardware and IMEI', 'getver'),
  deviceStatus: inquiry('Ask for the state of modem and inputs', 'getstatus'),
  rebootDevice: fixed('Restart the device', 'cpureset'),
  getParameter: {
    title: 'Ask for a parameter of the configuration',
    params: { id: parameterId },
    repeatable: true,
    encode: (params, context) => wrap(fromLatin1(`getparam ${integerParameter(params, 'id', 0, MOST_ID)}`), context),
  },
  setParameter: {
    title: 'Set a parameter of the configuration',
    params: { id: parameterId, value: { type: 'string', title: 'Its new value', required: true } },
    repeatable: true,
    encode: (params, context) => wrap(fromLatin1(setParameter(params)), context),
  },
  readElement: {
    title: 'Ask for the present value of an element',
    params: { id: { type: 'number', title: 'Number of the element', required: true } },
    repeatable: true,
    encode: (params, context) => wrap(fromLatin1(`readio ${integerParameter(params, 'id', 0, MOST_ID)}`), context),
  },
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

import {
  CodecError,
  type CommandDefinition,
  type CommandParameters,
  type EncodeContext,
  fromHex,
  fromLatin1,
  toZone,
  Writer,
} from '#codec';
import { toGbk } from './gbk.ts';
import { utcDigits } from './messages/session.ts';
import { modelOf } from './models.ts';
import type { State } from './state.ts';
import { DEFAULT_ZONE } from './values.ts';
import { message, STANDARD, type Terminal } from './wire.ts';

type Context = EncodeContext<State>;
type Command = CommandDefinition<State>;

/** Largest body that the header can declare. */
const MOST_BODY_BYTES = 1023;

/** A message to the device; its serial is the ticket, which the device's general answer names. */
function send(context: Context, type: number, body: Uint8Array): Uint8Array {
  if (body.length > MOST_BODY_BYTES) throw new CodecError('bad-parameter', `more than ${MOST_BODY_BYTES} bytes`);
  return message(addressee(context), type, serialOf(context.ticket), body);
}

/** As its last frame spoke; before the first, by what its id looks like. */
function addressee({ state, deviceId }: Context): Terminal {
  return (
    state.terminal ?? {
      delimiter: STANDARD,
      version: undefined,
      id: idBytes(deviceId),
      ids: [deviceId],
      name: deviceId,
    }
  );
}

const IMEI = /^\d{15}$/;

/** Twelve digits in BCD; an IMEI as 48 bits without its check digit. */
function idBytes(deviceId: string): Uint8Array {
  if (IMEI.test(deviceId)) {
    const number = Number(deviceId.slice(0, 14));
    return new Writer(6)
      .u16(Math.floor(number / 0x1_0000_0000))
      .u32(number % 0x1_0000_0000)
      .finish();
  }
  if (!/^\d{1,20}$/.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no id of digits`);
  const even = deviceId.length + (deviceId.length % 2);
  return fromHex(deviceId.padStart(Math.max(12, even), '0'));
}

/** Serials have 16 bits; tickets that are no number have none. */
const serialOf = (ticket: string): number => (/^\d{1,15}$/.test(ticket) ? Number(ticket) % 0x1_0000 : 0);

function numberFrom(params: CommandParameters, name: string, least: number, most: number, fallback?: number): number {
  const given = params[name] ?? fallback;
  const number = typeof given === 'string' ? Number(given) : given;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new CodecError('bad-parameter', `${name} is a whole number from ${least} to ${most}`);
}

function textFrom(params: CommandParameters, name: string, fallback?: unknown): string {
  const given = params[name] ?? fallback;
  if (given === undefined || given === '') throw new CodecError('bad-parameter', `${name} is wanting`);
  return String(given);
}

function asciiFrom(text: string): Uint8Array {
  if (!/^[\x20-\x7e\r\n]{1,255}$/.test(text))
    throw new CodecError('bad-parameter', 'ASCII of 1 to 255 characters is wanted');
  return fromLatin1(text);
}

/** 8105, or A006 where the device takes that. */
const engine =
  (order: 'stop' | 'resume'): Command['encode'] =>
  (_, context) => {
    const { options, now } = context;
    if (options['alternative'] !== true) {
      return send(context, 0x8105, fromHex(modelOf(options['model']).engine[order]));
    }
    const local = utcDigits(toZone(now, String(options['timezone'] ?? DEFAULT_ZONE)));
    return send(context, 0xa006, fromHex(`${order === 'stop' ? '01' : '00'}${local.slice(2)}`));
  };

/** 0310 of a vendor: u8 count, u8 parameter, u8 length, value. */
const setting =
  (hex: string): Command['encode'] =>
  (_, context) =>
    send(context, 0x0310, fromHex(hex));

/** "user", the name under which a device is armed. */
const USER = '75736572';

const camera = (params: CommandParameters): number => numberFrom(params, 'index', 1, 255, 1);

/** 8801 (JT/T 808, table 88): one photo at once, 640 × 480, middling quality. */
function photo(params: CommandParameters): Uint8Array {
  const writer = new Writer(12).u8(camera(params)).u16(1).u16(0).u8(0).u8(0x02).u8(0x05);
  return writer.u8(127).u8(60).u8(60).u8(127).finish();
}

/** 9101 (JT/T 1078, table 17). */
function stream(params: CommandParameters, { options }: Context): Uint8Array {
  const host = asciiFrom(textFrom(params, 'host', options['streamHost']));
  const port = numberFrom(params, 'port', 1, 65_535, Number(options['streamPort'] ?? 1078));
  const writer = new Writer(40).u8(host.length).raw(host).u16(port).u16(0);
  return writer.u8(camera(params)).u8(1).u8(0).finish();
}

/** Text as the model takes it; without a model whole frames in hex, and other text as 8300. */
const custom: Command['encode'] = (params, context) => {
  const text = textFrom(params, 'data');
  const by = modelOf(context.options['model']).text;
  if (by === undefined && /^(?:[0-9a-f]{2}){1,2048}$/i.test(text)) return fromHex(text);
  if (by === 0x8900) return send(context, 0x8900, Uint8Array.of(0xf0, ...asciiFrom(text)));
  if (by !== 0x8103) return send(context, 0x8300, Uint8Array.of(1, ...toGbk(text)));
  const ascii = asciiFrom(text);
  return send(context, 0x8103, new Writer(300).u8(1).u32(0xf030).u8(ascii.length).raw(ascii).finish());
};

/** 8103 with one parameter (JT/T 808, table 12): `id`, and `data` as hex of its value. */
const setParameter: Command['encode'] = (params, context) => {
  const value = fromHex(textFrom(params, 'data'));
  if (value.length > 255) throw new CodecError('bad-parameter', 'more than 255 bytes');
  const id = numberFrom(params, 'id', 0, 0xffff_ffff);
  return send(context, 0x8103, new Writer(64).u8(1).u32(id).u8(value.length).raw(value).finish());
};

const empty = new Uint8Array(0);
const index = { type: 'number', title: 'Channel, 1 where none is given' } as const;

export const commands: Readonly<Record<string, Command>> = {
  engineStop: { title: 'Cut the engine', params: {}, repeatable: false, encode: engine('stop') },
  engineResume: { title: 'Let the engine run', params: {}, repeatable: false, encode: engine('resume') },
  rebootDevice: { title: 'Restart the device', params: {}, repeatable: true, encode: setting('01230103') },
  positionPeriodic: {
    title: 'Report every so many seconds',
    params: { frequency: { type: 'number', title: 'Seconds', required: true } },
    repeatable: true,
    encode: (params, context) =>
      send(
        context,
        0x0310,
        new Writer(8)
          .hex('010604')
          .u32(numberFrom(params, 'frequency', 1, 0xffff_ffff))
          .finish(),
      ),
  },
  positionSingle: {
    title: 'Report once',
    params: {},
    repeatable: true,
    encode: (_, context) => send(context, 0x8201, empty),
  },
  alarmArm: { title: 'Arm', params: {}, repeatable: true, encode: setting(`01240501${USER}`) },
  alarmDisarm: { title: 'Disarm', params: {}, repeatable: true, encode: setting(`01240500${USER}`) },
  requestPhoto: {
    title: 'Take a photo',
    params: { index },
    repeatable: true,
    encode: (params, context) => send(context, 0x8801, photo(params)),
  },
  videoStart: {
    title: 'Stream live video to a JT/T 1078 server',
    params: {
      index,
      host: { type: 'string', title: 'Address of the server; option streamHost where none is given' },
      port: { type: 'number', title: 'TCP port; option streamPort where none is given' },
    },
    repeatable: true,
    encode: (params, context) => send(context, 0x9101, stream(params, context)),
  },
  videoStop: {
    title: 'End live video',
    params: { index },
    repeatable: true,
    encode: (params, context) => send(context, 0x9102, Uint8Array.of(camera(params), 0, 0, 0)),
  },
  getDeviceStatus: {
    title: 'Ask for all parameters',
    params: {},
    repeatable: true,
    encode: (_, context) => send(context, 0x8104, empty),
  },
  setParameter: {
    title: 'Set a parameter',
    params: {
      id: { type: 'number', title: 'Parameter id', required: true },
      data: { type: 'string', title: 'Value in hexadecimal', required: true },
    },
    repeatable: true,
    encode: setParameter,
  },
  custom: {
    title: 'Text as the model takes it, or whole frames in hexadecimal',
    params: { data: { type: 'string', title: 'Text', required: true } },
    repeatable: true,
    encode: custom,
  },
};

/** Engine cut and outputs, as frames in hex and in the words of several vendors. */
export const dangerous: readonly RegExp[] = [
  /^(?:7e|e7)(?:8105|8500|a006)/i,
  /^#0;[01]/,
  /\bRELAY\s*,?\s*[01]/i,
  /\bDYD\b/i,
  /\b(?:cut|stop)\s*(?:off\s*)?(?:oil|engine|fuel)/i,
];

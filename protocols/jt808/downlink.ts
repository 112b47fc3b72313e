import {
  CodecError,
  type CommandDefinition,
  type EncodeContext,
  fromHex,
  isHex,
  utcToZone,
  type WrapBody,
} from '#codec';
import { utcToDigits } from '#codec/text';
import { modelOf } from './dialect.ts';
import { toGbk } from './gbk.ts';
import { DEFAULT_ZONE, STANDARD, type State, type Terminal } from './header.ts';
import { message } from './wire.ts';

type Context = EncodeContext<State>;
type Encode = CommandDefinition<State>['encode'];

/** Largest body that the header can declare. */
const MAX_BODY_BYTES = 1023;

/** A message to the device; its serial is the ticket, which the device's general answer names. */
function send(context: Context, type: number, body: Uint8Array): Uint8Array {
  if (body.length > MAX_BODY_BYTES) throw new CodecError('bad-parameter', `more than ${MAX_BODY_BYTES} bytes`);
  return message(addressee(context), type, serialOf(context.ticket), body);
}

/** Messages of one type. */
export const toType =
  (type: number): WrapBody<State> =>
  (body, context) =>
    send(context, type, body);

/** As its last frame spoke; before the first, by what its id looks like. */
const addressee = ({ state, deviceId }: Context): Terminal =>
  state.terminal ?? {
    delimiter: STANDARD,
    version: undefined,
    id: idBytes(deviceId),
    ids: [deviceId],
    name: deviceId,
  };

const IMEI = /^\d{15}$/;

/** Twelve digits in BCD; an IMEI as 48 bits without its check digit. */
function idBytes(deviceId: string): Uint8Array {
  if (IMEI.test(deviceId)) return fromHex(Number(deviceId.slice(0, 14)).toString(16).padStart(12, '0'));
  if (!/^\d{1,20}$/.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no id of digits`);
  const even = deviceId.length + (deviceId.length % 2);
  return fromHex(deviceId.padStart(Math.max(12, even), '0'));
}

/** Serials have 16 bits; tickets that are no number have none. */
const serialOf = (ticket: string): number => (/^\d{1,15}$/.test(ticket) ? Number(ticket) % 0x1_0000 : 0);

/** 8105, or A006 and the local time where the device takes that. */
export const engine =
  (command: 'stop' | 'resume'): Encode =>
  (_, context) => {
    const { options, now } = context;
    if (options['alternative'] !== true)
      return send(context, 0x8105, fromHex(modelOf(options['model']).engine[command]));
    const local = utcToDigits(utcToZone(now, String(options['timezone'] ?? DEFAULT_ZONE))).slice(2);
    return send(context, 0xa006, fromHex(`${command === 'stop' ? '01' : '00'}${local}`));
  };

const MAX_HEX_CHARS = 4096;

/** Text as the model takes it: of some by an order of their own; without a model whole frames in hex, or 8300. */
export const custom =
  (orders: Readonly<Record<number, CommandDefinition<State>>>): Encode =>
  (params, context) => {
    const by = modelOf(context.options['model']).text;
    const data = String(params['data'] ?? '');
    if (by === undefined && isHex(data) && data.length <= MAX_HEX_CHARS) return fromHex(data);
    const own = orders[by ?? 0];
    if (own !== undefined) return own.encode(params, context);
    if (data === '') throw new CodecError('bad-parameter', 'data is missing');
    return send(context, 0x8300, Uint8Array.of(1, ...toGbk(data)));
  };

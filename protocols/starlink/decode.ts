import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  type Fix,
  type Message,
  type Network,
  positionOf,
  statusOf,
  toLatin1,
} from '#codec';
import { DEFAULT_DATE_FORMAT, DEFAULT_FORMAT, DRIVER_EVENT } from './elements.ts';
import { type Handler, nothingTold, TAGS, type Told } from './tags.ts';

const SENTENCE = /^.SLU(\d{15}|[0-9A-Fa-f]{6}),(\d{1,3}),(\d{1,10}),(.*)\*[0-9A-Fa-f]{2}$/;
const REPORT = 6;

export function decode(frame: Uint8Array, { state, options }: DecodeContext<undefined>): Decoded<undefined> {
  const m = SENTENCE.exec(toLatin1(frame).trim());
  if (m === null) throw new CodecError('bad-text', 'no sentence of the family', 0);
  const [, id, type, index, data] = m as unknown as [string, string, string, string, string];
  const content: Message = Number(type) === REPORT ? readReport(Number(index), data, options) : { type: 'heartbeat' };
  return { state, messages: [{ type: 'login', ids: [id] }, content], replies: [] };
}

const textOf = (options: DeviceOptions, key: string, usual: string): string => String(options[key] ?? '') || usual;

const handlersOf = (format: string) => format.split(',').map((tag) => TAGS.get(tag));
const usual = handlersOf(DEFAULT_FORMAT);

/** Items by the tags of the device's format; what is wrong in one does not hold up the others. */
function readReport(index: number, data: string, options: DeviceOptions): Message {
  const format = textOf(options, 'format', DEFAULT_FORMAT);
  const handlers = format === DEFAULT_FORMAT ? usual : handlersOf(format);
  const items = data.split(',');
  const told = nothingTold({ index }, textOf(options, 'dateFormat', DEFAULT_DATE_FORMAT));
  for (let at = 0; at < handlers.length && at < items.length; at++) {
    const item = items[at]!;
    if (item !== '') readItem(handlers[at], item, told);
  }
  if (told.attributes['event'] === DRIVER_EVENT) told.attributes['driverUniqueId'] = driverOf(items);
  return finish(told);
}

function readItem(handler: Handler | undefined, item: string, told: Told): void {
  try {
    handler?.(item, told);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
}

/** The last item, or the one before it where that is all zeros. */
function driverOf(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return /^0*$/.test(last) ? (items.at(-2) ?? '') : last;
}

function finish(told: Told): Message {
  const { attributes, deviceTime, fixTime, latitude, longitude, lac, cid, altitude, speed, course } = told;
  const network: Network | undefined =
    lac === undefined || cid === undefined ? undefined : { cells: [{ mcc: 0, mnc: 0, lac, cid }] };
  if (fixTime === undefined) return statusOf(attributes, deviceTime, network);
  const fix: Fix = {
    time: fixTime,
    deviceTime: deviceTime ?? fixTime,
    valid: true,
    latitude,
    longitude,
    altitude,
    speed,
    course,
  };
  return positionOf(fix, attributes, network);
}

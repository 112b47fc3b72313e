import {
  type Attributes,
  CodecError,
  type DecodeContext,
  type Decoded,
  fileChunk,
  type Message,
  type Reply,
  statusPosition,
  storedTextReply,
  textAnswer,
  toLatin1,
} from '#codec';
import { parseDecimal } from '#codec/text';
import { ANSWERS } from './elements.ts';
import type { WatchState } from './frame.ts';
import { readNetwork, readReport } from './report.ts';

/** A message behind its envelope. */
interface Envelope {
  readonly maker: string;
  readonly id: string;
  readonly index: string | undefined;
  readonly type: string;
  /** behind the type and its comma */
  readonly data: Uint8Array;
}

interface Meaning {
  readonly messages: readonly Message[];
  readonly reply?: string;
  readonly sound?: WatchState['sound'];
}

type Handler = (envelope: Envelope, context: DecodeContext<WatchState>) => Meaning;

const HEALTH: ReadonlyMap<string, (values: readonly string[]) => Attributes> = new Map([
  ['TEMP', ([first]) => numberAt('temp1', first)],
  ['BTEMP2', ([first, second]) => ((parseDecimal(first ?? '') ?? 0) > 0 ? numberAt('temp1', second) : {})],
  ['OXYGEN', ([, second]) => numberAt('bloodOxygen', second)],
  ['BLOOD', pressure],
  ['BPHRT', pressure],
  ['PULSE', ([first]) => numberAt('heartRate', first)],
  ['HEART', ([first]) => numberAt('heartRate', first)],
]);

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['INIT', () => ({ messages: [], reply: 'INIT,1' })],
  ['LK', readLink],
  ['CCID', readCard],
  ['ICCID', readCard],
  ['GS1', readCells],
  ['TKQ', ({ type }) => ({ messages: [], reply: type })],
  ['TKQ2', ({ type }) => ({ messages: [], reply: type })],
  ['img', readImage],
  ['JXTK', readSoundPart],
  ['TK', readSound],
  ['TK2', readSound],
]);

const STAR = 0x2a;
const COMMA = 0x2c;
const ID = /^[0-9A-Za-z]{1,20}$/;
const LENGTH = /^[0-9A-Fa-f]{4}$/;

export function decode(frame: Uint8Array, context: DecodeContext<WatchState>): Decoded<WatchState> {
  const envelope = open(frame);
  const { maker, id, index, type } = envelope;
  const isReport = /^(?:UD|AL|WT)/.test(type);
  const read = isReport ? readPosition : (HANDLERS.get(type) ?? readOther);
  const { messages, reply, sound } = read(envelope, context);
  const { state } = context;
  const kept = 'sound' in state && sound === undefined && type !== 'JXTK' ? { sound: state.sound } : {};
  return {
    state: { maker, indexed: state.indexed || index !== undefined, ...kept, ...(sound ? { sound } : {}) },
    messages: [{ type: 'login', ids: [id] }, ...messages],
    replies: reply === undefined ? [] : [answer(envelope, reply)],
  };
}

/** An alarm that cannot be read would be sent again and again. */
export function acknowledgeUndecoded(frame: Uint8Array): readonly Reply[] {
  try {
    const envelope = open(frame);
    return envelope.type.startsWith('AL') ? [answer(envelope, 'AL')] : [];
  } catch {
    return [];
  }
}

/** `[maker*id*length*content]`, or `[maker*id*index*length*content]`. The length is not to be trusted. */
function open(frame: Uint8Array): Envelope {
  const idEnd = frame.indexOf(STAR, 4);
  const third = idEnd < 0 ? -1 : frame.indexOf(STAR, idEnd + 1);
  const id = toLatin1(frame, 4, idEnd);
  if (third < 0 || !ID.test(id)) throw new CodecError('bad-text', 'not a message of the family', 0);
  const isIndexed =
    third + 5 < frame.length && frame[third + 5] === STAR && LENGTH.test(toLatin1(frame, third + 1, third + 5));
  const start = isIndexed ? third + 6 : third + 1;
  const end = Math.max(frame.length - 1, start);
  const comma = frame.subarray(0, end).indexOf(COMMA, start);
  return {
    maker: toLatin1(frame, 1, 3),
    id,
    index: isIndexed ? toLatin1(frame, idEnd + 1, third) : undefined,
    type: toLatin1(frame, start, comma < 0 ? end : comma),
    data: comma < 0 ? new Uint8Array(0) : frame.subarray(comma + 1, end),
  };
}

function answer({ maker, id, index }: Envelope, content: string): Reply {
  const length = content.length.toString(16).padStart(4, '0');
  const between = index === undefined ? '' : `${index}*`;
  return storedTextReply(`[${maker}*${id}*${between}${length}*${content}]`);
}

const valuesOf = (data: Uint8Array): string[] => toLatin1(data).replace(/,+$/, '').split(',');

function numberAt(key: string, text: string | undefined): Attributes {
  const value = parseDecimal(text ?? '');
  return value === undefined ? {} : { [key]: value };
}

function pressure([high, low, rate]: readonly string[]): Attributes {
  return {
    ...(high ? { pressureHigh: high } : {}),
    ...(low ? { pressureLow: low } : {}),
    ...numberAt('heartRate', rate),
  };
}

function readLink({ data }: Envelope): Meaning {
  const values = valuesOf(data);
  if (values.length < 3) return { messages: [{ type: 'heartbeat' }], reply: 'LK' };
  const attributes = { ...numberAt('steps', values[0]), ...numberAt('batteryLevel', values[2]) };
  return { messages: [statusPosition(attributes)], reply: 'LK' };
}

const ICCID = /^\d{18,20}[0-9A-F]?$/;

/** The number of the SIM card. */
function readCard({ data }: Envelope): Meaning {
  const iccid = valuesOf(data).find((value) => ICCID.test(value));
  return { messages: iccid === undefined ? [] : [statusPosition({ iccid })] };
}

/** Cells alone, as they stand in a report. */
function readCells({ data }: Envelope): Meaning {
  const network = readNetwork(toLatin1(data));
  return { messages: network?.cells === undefined ? [] : [statusPosition({}, undefined, network)] };
}

function readPosition({ type, data }: Envelope): Meaning {
  const position = readReport(toLatin1(data));
  if (!type.startsWith('AL')) return { messages: [position] };
  const attributes = { alarm: 'general', ...position.attributes };
  return { messages: [{ ...position, attributes }], reply: 'AL' };
}

function readOther({ type, data }: Envelope, { now }: DecodeContext<WatchState>): Meaning {
  const health = HEALTH.get(type.toUpperCase());
  if (health !== undefined) return { messages: data.length === 0 ? [] : [statusPosition(health(valuesOf(data)), now)] };
  if (!ANSWERS.has(type)) return { messages: [] };
  const text = data.length === 0 ? type : `${type},${toLatin1(data)}`;
  return { messages: [textAnswer(text)] };
}

/** A number, a time of 12 characters, a picture. */
function readImage({ data }: Envelope): Meaning {
  const m = /^[^,]{0,16},([0-9A-Za-z]{12}),/.exec(toLatin1(data, 0, 32));
  if (m === null) throw new CodecError('bad-text', 'a picture without its time');
  const name = `image-${m[1]}.jpg`;
  const bytes = data.slice(m[0].length);
  return {
    messages: fileChunk({ name, media: 'image', offset: 0, bytes }, true),
  };
}

const SENT = 0x31;

/** A voice message of the wearer; one byte alone is the result of one that was sent to the watch. */
function readSound({ type, data }: Envelope, { now }: DecodeContext<WatchState>): Meaning {
  if (data.length === 1)
    return {
      messages: [{ type: 'answer', outcome: data[0] === SENT ? 'done' : 'refused', text: `${type},${toLatin1(data)}` }],
    };
  const name = `sound-${now}.amr`;
  const bytes = data.slice();
  return {
    messages: fileChunk({ name, media: 'audio', offset: 0, bytes }, true),
  };
}

const SOUND_PART = /^[^,]{0,16},([\w.-]{1,64}),(\d{1,4}),(\d{1,4}),/;

function readSoundPart({ data }: Envelope, { state }: DecodeContext<WatchState>): Meaning {
  const m = SOUND_PART.exec(toLatin1(data, 0, 128));
  if (m === null) throw new CodecError('bad-text', 'a part of a sound without its number');
  const [head, stem, current, total] = m;
  const part = Number(current);
  const name = `${stem}.amr`;
  const bytes = data.slice(head.length);
  const known = state.sound?.name === name ? state.sound : undefined;
  // One that comes again has its place by the size that parts have.
  const offset = known?.next === part ? known.received : (part - 1) * bytes.length;
  const isLast = part >= Number(total);
  return {
    messages: fileChunk({ name, media: 'audio', offset: Math.max(offset, 0), bytes }, isLast),
    reply: 'JXTKR,1',
    sound: isLast ? undefined : { name, received: offset + bytes.length, next: part + 1 },
  };
}

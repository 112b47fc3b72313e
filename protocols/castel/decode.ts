import {
  type AttributeValue,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  Reader,
  type Reply,
  readOptional,
  storedReply,
  textAnswer,
  toLatin1,
  Writer,
} from '#codec';
import {
  applyAlarm,
  readObd,
  readPosition,
  readStat,
  readState,
  readTroubleCodes,
  setIgnition,
  setStat,
  stateOf,
} from './blocks.ts';
import { readEntries } from './comprehensive.ts';
import { ID_BYTES, idStart, isVersioned, MIN_FRAME_BYTES, seal } from './frame.ts';

export type State = undefined;

/** What a handler sees; a reply is of the type that it names. */
interface Body {
  readonly reader: Reader;
  readonly now: number;
  /** with the version and the id of the message, unless one is named */
  reply(type: number, content?: Uint8Array, version?: number): void;
}
type Handler = (body: Body) => Draft[];

const NOTHING = new Uint8Array(0);
const ENGINE_ANSWERS: ReadonlySet<number> = new Set([0xc583, 0x4583]);

const SC_VERSIONS: ReadonlySet<number> = new Set([3, 4]);
const isSc = (version: number | undefined): boolean => version !== undefined && SC_VERSIONS.has(version);

/** What stands around a message: who sent it, its type's handler and the replies that this gives. */
function open(bytes: Uint8Array, now: number) {
  const start = idStart(bytes);
  const idBytes = bytes.subarray(start, start + ID_BYTES);
  const version = isVersioned(bytes) ? bytes[4]! : undefined;
  const reader = new Reader(bytes, start + ID_BYTES, bytes.length - 4);
  const type = reader.u16();
  const replies: Reply[] = [];
  const reply = (of: number, content = NOTHING, as = version): void => {
    replies.push(storedReply(seal(as, idBytes, of, content)));
  };
  const handler = handlerOf(version, type);
  const read = (): Draft[] => {
    const drafts = handler?.({ reader, now, reply }) ?? [];
    // the state is that of the message, so it need not have been that of earlier places
    if (isSc(version) && drafts.length === 1) setIgnition(drafts[0]!.attributes);
    return drafts;
  };
  return { idBytes, type, handler, replies, read };
}

export function decode(bytes: Uint8Array, { state, now }: DecodeContext<State>): Decoded<State> {
  const { idBytes, type, handler, replies, read } = open(bytes, now);
  const id = toLatin1(idBytes).replace(/^[\0 ]{1,20}|[\0 ]{1,20}$/g, '');
  const messages: Message[] = id === '' ? [] : [{ type: 'login', ids: [id] }];
  const drafts = read();
  if (handler === undefined && ENGINE_ANSWERS.has(type)) messages.push({ type: 'answer', outcome: 'done' });
  else if (drafts.length === 0) messages.push({ type: 'heartbeat' });
  for (const draft of drafts) messages.push(draft.toPosition());
  if (type === QUERY) messages.push(answerOf(drafts[0]?.attributes['result']));
  return { state, messages, replies };
}

const answerOf = (result: AttributeValue | undefined): Message =>
  result === undefined ? { type: 'answer', outcome: 'done' } : textAnswer(String(result));

/** The acknowledgement of an alarm needs its index alone. */
export function acknowledgeUndecoded(bytes: Uint8Array, { now }: DecodeContext<State>): readonly Reply[] {
  if (bytes.length < MIN_FRAME_BYTES) return [];
  const { replies, read } = open(bytes, now);
  readOptional(read);
  return replies;
}

function handlerOf(version: number | undefined, type: number): Handler | undefined {
  if (version === undefined) return PLAIN[type];
  return isSc(version) ? SC[type] : CC[type];
}

const one = (reader: Reader): Draft[] => [readPosition(reader)];

/** The block of distances and state, and as many places as the count says; each has all of it. Without any, alone. */
function readPlaces(reader: Reader): Draft[] {
  const stat = readStat(reader);
  const drafts: Draft[] = [];
  for (let count = reader.u8(); count > 0; count--) {
    const draft = readPosition(reader);
    setStat(draft.attributes, stat);
    drafts.push(draft);
  }
  return drafts.length === 0 ? [stateOf(stat)] : drafts;
}

/** Speed of the engine at each place, where the message goes on. */
function readEngineSpeeds(reader: Reader, drafts: readonly Draft[]): void {
  if (reader.remaining === 0) return;
  const count = reader.u8();
  for (const { attributes } of drafts.slice(0, count)) attributes['rpm'] = reader.u16LE();
}

/** Texts of firmware and hardware, each with a zero behind it. */
function readVersions(reader: Reader, drafts: readonly Draft[]): void {
  const [firmware = '', hardware = ''] = reader.latin1().split('\0', 2);
  for (const { attributes } of drafts) {
    if (firmware !== '') attributes['versionFw'] = firmware;
    if (hardware !== '') attributes['versionHw'] = hardware;
  }
}

const withState =
  (read: (reader: Reader, draft: Draft) => void): Handler =>
  ({ reader }) => {
    const draft = readState(reader);
    read(reader, draft);
    return [draft];
  };

const QUERY = 0xa002;

/** Messages of the SC family. */
const SC: Readonly<Record<number, Handler>> = {
  0x1001: ({ reader, now, reply }) => {
    const seconds = Math.floor(now / 1000);
    reply(0x9001, new Writer(10).u32(0xffff_ffff).u16(0).u32LE(seconds).finish());
    const drafts = readPlaces(reader);
    readVersions(reader, drafts);
    return drafts;
  },
  0x1002: ({ reader }) => readPlaces(reader),
  0x1003: ({ reply }) => {
    reply(0x9003);
    return [];
  },
  0x4001: ({ reader }) => {
    reader.skip(1);
    const drafts = readPlaces(reader);
    readEngineSpeeds(reader, drafts);
    return drafts;
  },
  0x4002: withState((reader, draft) => {
    reader.skip(2);
    readObd(reader, draft, true);
  }),
  0x4003: withState(readShocks),
  0x4005: withState((reader, draft) => {
    reader.skip(1);
    readObd(reader, draft, false);
  }),
  0x4006: withState((reader, draft) => {
    reader.skip(1);
    readTroubleCodes(reader, draft, 0);
  }),
  0x4007: readAlarms,
  0x4008: withState((reader, draft) => draft.addCell({ mcc: 0, mnc: 0, lac: reader.u16LE(), cid: reader.u16LE() })),
  0x4009: ({ reader }) => {
    reader.skip(4);
    return one(reader);
  },
  0x400b: withState((reader, draft) => {
    reader.skip(1);
    readTroubleCodes(reader, draft, 2);
  }),
  0x400e: ({ reader }) => {
    const drafts = readPlaces(reader);
    for (const { attributes } of drafts) attributes['adc1'] = reader.u16LE();
    return drafts;
  },
  0x401f: ({ reader }) => {
    reader.skip(5);
    const drafts = readPlaces(reader);
    const last = drafts.at(-1);
    if (last !== undefined) readEntries(reader, last);
    return drafts;
  },
  0x5101: ({ reader }) => one(reader),
  [QUERY]: readResponse,
  0xb001: ({ reader }) => {
    reader.skip(2);
    return readPlaces(reader);
  },
};

/** Alarms of 4007 count for all of its places. */
function readAlarms({ reader, reply }: Body): Draft[] {
  reply(0xc007, new Writer(4).u32LE(reader.u32LE()).finish());
  const drafts = readPlaces(reader);
  for (let count = reader.u8(); count > 0; count--) {
    if (reader.u8() === 0) continue;
    const code = reader.u8();
    for (const draft of drafts) applyAlarm(code, draft);
    reader.skip(4);
  }
  return drafts;
}

const SHOCK_UNIT = 0.015625;

function readShocks(reader: Reader, { attributes }: Draft): void {
  reader.skip(2);
  const shocks: string[] = [];
  for (let count = reader.u8(); count > 0; count--) {
    const axes = [reader.i16LE(), reader.i16LE(), reader.i16LE()];
    shocks.push(`[${axes.map((value) => value * SHOCK_UNIT).join(',')}]`);
  }
  attributes['gSensor'] = `[${shocks.join(',')}]`;
}

const VIN = 0x2001;

/** What was asked for: tags that failed, then those with a value. */
function readResponse({ reader }: Body): Draft[] {
  const draft = new Draft();
  reader.skip(4);
  reader.skip(2 * reader.u8());
  for (let count = reader.u8(); count > 0; count--) {
    const tag = reader.u16LE();
    const text = reader.latin1(reader.u16LE());
    draft.attributes['result'] = text;
    if (tag === VIN) draft.attributes['vin'] = text;
  }
  return [draft];
}

const NOT_MEASURED = 0xff;

/** Status, battery and distance behind a place of the CC family. */
function readReport(reader: Reader): Draft {
  const draft = readPosition(reader);
  draft.attributes['status'] = reader.u32LE();
  const battery = reader.u8();
  if (battery !== NOT_MEASURED) draft.attributes['battery'] = battery;
  draft.attributes['odometer'] = reader.u32LE();
  return draft;
}

const CC: Readonly<Record<number, Handler>> = {
  0x4001: ({ reader, reply }) => {
    reply(0x8001);
    return [readReport(reader)];
  },
  0x4206: ({ reader, reply }) => {
    reply(0x8206);
    reader.skip(1);
    return Array.from({ length: reader.u8() }, () => {
      const draft = readReport(reader);
      reader.skip(3);
      draft.addCell({ mcc: 0, mnc: 0, lac: reader.u16LE(), cid: reader.u16LE() });
      return draft;
    });
  },
};

const FENCE_PLACES = 8;

/** Messages without a version byte. */
const PLAIN: Readonly<Record<number, Handler>> = {
  0x2001: ({ reader, reply }) => {
    reply(0x1001, new Writer(12).u32(0).u32(0xffff_ffff).u32(0xffff_ffff).finish());
    reader.skip(9);
    return one(reader);
  },
  0x4001: ({ reader, reply }) => {
    reply(0x4001, NOTHING, 0xff);
    return one(reader);
  },
  0x4201: ({ reader }) => one(reader),
  0x4202: ({ reader }) => one(reader),
  0x4204: ({ reader }) =>
    Array.from({ length: FENCE_PLACES }, () => {
      const draft = readPosition(reader);
      reader.skip(31);
      return draft;
    }),
  0x4206: ({ reader }) => one(reader),
};

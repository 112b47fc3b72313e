import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  fromZigzag,
  type Message,
  Reader,
  type Reply,
  Writer,
} from '#codec';
import { seal } from './frame.ts';
import { type Numbers, readGroups } from './groups.ts';

export type State = undefined;

const IDENTIFICATION = 0x80;
const WANT = 0x85;
const ARCHIVE = 0x86;
const CONFIRM = 0x87;
const TIME_REQUEST = 0x93;
const TIME = 0x94;
const CURRENT: ReadonlySet<number> = new Set([0x95, 0x9f]);

/** Seconds from 1970 to 2009-01-01, where the registrar's time begins. */
const EPOCH_S = 1_230_768_000;

const GENERAL = 2;
const NAVIGATION = 5;
const LEVELS = 8;
const WANTED: ReadonlySet<number> = new Set([GENERAL, NAVIGATION, LEVELS]);
/** LAT, LON, GPSVel, GPSDir, GPSNSat and GPSAlt are required; GPSTime is not. */
const REQUIRED = 6;

export function decode(bytes: Uint8Array, { state, now }: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 1);
  const command = reader.u8();
  const data = reader.slice(Math.min(reader.u16LE(), reader.remaining));
  if (command === IDENTIFICATION) {
    const ids = [String(data.u32LE())] as const;
    return { state, messages: [{ type: 'login', ids }], replies: [answer(WANT, 0)] };
  }
  if (command === ARCHIVE || CURRENT.has(command)) {
    const { messages, last } = readArchive(data);
    return { state, messages, replies: [answer(CONFIRM, last)] };
  }
  if (command === TIME_REQUEST) {
    const seconds = Math.floor(now / 1000) - EPOCH_S;
    return { state, messages: [], replies: [{ ...answer(TIME, Math.max(seconds, 0)), when: 'received' }] };
  }
  return { state, messages: [{ type: 'heartbeat' }], replies: [] };
}

const answer = (command: number, value: number): Reply => ({
  when: 'stored',
  bytes: seal(command, new Writer(4).u32LE(value).finish()),
});

/** Record number of the first message, time, priority; then messages, each with its length. */
function readArchive(reader: Reader): { messages: Message[]; last: number } {
  const messages: Message[] = [];
  let number = reader.u32LE();
  reader.skip(5);
  let last = number;
  while (reader.remaining >= 2) {
    last = number++;
    const record = reader.slice(Math.min(reader.u16LE(), reader.remaining));
    try {
      const draft = readRecord(record);
      if (draft !== undefined) messages.push(draft.toPosition());
    } catch (error) {
      // One odd record does not hold up the others.
      if (!(error instanceof CodecError)) throw error;
    }
  }
  return { messages, last };
}

/** Undefined without a place: such a record says nothing that could be placed. */
function readRecord(reader: Reader): Draft | undefined {
  const groups = readGroups(reader, WANTED);
  const navigation = groups.get(NAVIGATION);
  if (navigation === undefined) return undefined;
  const draft = new Draft();
  readGeneral(groups.get(GENERAL), draft);
  readNavigation(navigation, draft);
  readLevel(groups.get(LEVELS), draft);
  return draft;
}

function readGeneral(general: Numbers | undefined, { attributes }: Draft): void {
  if (general === undefined) return;
  attributes['power'] = (general[8] ?? 0) / 10;
  attributes['batteryLevel'] = general[9] ?? 0;
  attributes['ignition'] = ((general[4] ?? 0) & 1) !== 0;
  attributes['rpm'] = general[7] ?? 0;
}

function readNavigation(navigation: Numbers, draft: Draft): void {
  for (let field = 1; field <= REQUIRED; field++)
    if (navigation[field] === undefined) throw new CodecError('truncated', `field ${field} of the place is wanting`);
  const value = (field: number): number => navigation[field] ?? 0;
  draft.attributes['sat'] = value(5);
  draft.setMovement(fromZigzag(value(6)) / 10, value(3) / 10, value(4));
  draft.setFix((value(7) + EPOCH_S) * 1000, true, fromZigzag(value(1)) / 1e7, fromZigzag(value(2)) / 1e7);
}

function readLevel(levels: Numbers | undefined, { attributes }: Draft): void {
  if (levels === undefined) return;
  attributes['fuel1Temp'] = fromZigzag(levels[1] ?? 0);
  attributes['fuel1'] = levels[2] ?? 0;
  attributes['fuel1State'] = fromZigzag(levels[3] ?? 0);
}

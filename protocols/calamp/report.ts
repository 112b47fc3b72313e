import { CodecError, type DecodeContext, Draft, type Reader } from '#codec';

/** Keys are made once. */
const ACCUMULATORS: readonly string[] = Array.from({ length: 64 }, (_, n) => `acc${n}`);
const WITH_THRESHOLD = 1;

/** Format and count, for some a threshold and a mask, then values as far as they are there. */
function readAccumulators(reader: Reader, draft: Draft, append: boolean): void {
  const format = reader.u8();
  if (append) draft.attributes['append'] = reader.u8();
  if (format >> 6 === WITH_THRESHOLD) reader.skip(8);
  const count = format & 0x3f;
  for (let n = 0; n < count && reader.remaining >= 4; n++) draft.attributes[ACCUMULATORS[n]!] = reader.u32();
}

/** of the state of the fix: the last known one instead of it, or none; logged by the unit */
const INVALID_FIX = 0x08 | 0x04;
const HISTORIC = 0x20;
/** of the state of the modem */
const ROAMING = 0x20;

/** What event, user data and locate reports begin with: time of the message, time of the fix, the fix; HDOP in tenths. */
function readFix(reader: Reader, draft: Draft): void {
  const { attributes } = draft;
  draft.deviceTime = reader.u32() * 1000;
  const fixTime = reader.u32() * 1000;
  const latitude = reader.i32() / 10_000_000;
  const longitude = reader.i32() / 10_000_000;
  const altitude = reader.i32() / 100;
  // cm/s
  const speed = reader.u32() * 0.036;
  const course = reader.i16();
  const sat = reader.u8();
  const state = reader.u8();
  const isValid = (state & INVALID_FIX) === 0;
  if (state & HISTORIC) attributes['archive'] = true;
  // A unit that has had no fix yet sends no time of one.
  if (fixTime > 0) {
    draft.setFix(fixTime, isValid, latitude, longitude);
    draft.setMovement(altitude, speed, course);
  }
  attributes['sat'] = sat;
  attributes['carrier'] = reader.u16();
  attributes['rssi'] = reader.i16();
  const modem = reader.u8();
  attributes['modem'] = modem;
  if (modem & ROAMING) attributes['roaming'] = true;
  attributes['hdop'] = reader.u8() / 10;
  readInputs(reader, draft);
  attributes['status'] = reader.u8();
}

function readInputs(reader: Reader, { attributes }: Draft): void {
  const input = reader.u8();
  attributes['input'] = input;
  attributes['ignition'] = (input & 0x01) !== 0;
}

function readEvent(reader: Reader, draft: Draft): void {
  readFix(reader, draft);
  reader.skip(1);
  draft.attributes['event'] = reader.u8();
  readAccumulators(reader, draft, true);
}

function readUserData(reader: Reader, draft: Draft): void {
  readFix(reader, draft);
  reader.skip(2);
  const length = reader.u16();
  draft.attributes['result'] = reader.latin1(Math.min(length, reader.remaining)).trim();
}

function readLocate(reader: Reader, draft: Draft): void {
  readFix(reader, draft);
  readAccumulators(reader, draft, true);
}

const MINI_INVALID = 0x20;

function readMini(reader: Reader, draft: Draft): void {
  const time = reader.u32() * 1000;
  const latitude = reader.i32() / 10_000_000;
  const longitude = reader.i32() / 10_000_000;
  const course = reader.i16();
  const speed = reader.u8();
  const quality = reader.u8();
  draft.setFix(time, (quality & MINI_INVALID) === 0, latitude, longitude);
  draft.setMovement(undefined, speed, course);
  draft.attributes['sat'] = quality & 0x0f;
  draft.attributes['modem'] = reader.u8();
  readInputs(reader, draft);
  draft.attributes['event'] = reader.u8();
  readAccumulators(reader, draft, false);
}

/** Message type → its report. */
const REPORTS: Readonly<Record<number, (reader: Reader, draft: Draft) => void>> = {
  2: readEvent,
  4: readUserData,
  8: readLocate,
  10: readMini,
};

/** Undefined for a message without position. One that is cut off behind its fix keeps what was read. */
export function readReport(type: number, reader: Reader): Draft | undefined {
  const read = REPORTS[type];
  if (read === undefined) return undefined;
  const draft = new Draft();
  try {
    read(reader, draft);
  } catch (error) {
    const isEmpty = !draft.hasFix && Object.keys(draft.attributes).length === 0;
    if (!(error instanceof CodecError) || isEmpty) throw error;
  }
  return draft;
}

export type Context = DecodeContext<State>;

export interface State {
  /** by the address, where a message does not name its device */
  readonly deviceId: string | undefined;
}

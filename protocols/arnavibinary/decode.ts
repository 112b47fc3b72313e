import {
  type DecodeContext,
  type Decoded,
  Draft,
  KNOT_KMH,
  type Message,
  ninePlaces,
  Reader,
  storedReply,
  sum8,
  Writer,
} from '#codec';
import { ELEMENTS, type Element } from './elements.ts';
import { HEADER, PACKAGE_END, RESULT } from './frame.ts';

export type State = undefined;

const TAGS = 1;
/** ping, text, file, binary: passed over by their length */
const OTHERS: ReadonlySet<number> = new Set([0, 3, 4, 6]);

export function decode(bytes: Uint8Array, { state, now }: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 2);
  if (bytes[0] === HEADER) {
    const ids = [String(BigInt.asIntN(64, reader.u64LE()))] as const;
    return { state, messages: [{ type: 'login', ids }], replies: [storedReply(welcome(bytes[1]!, now))] };
  }
  const index = bytes[1]!;
  if (index === RESULT) {
    const answer = { type: 'answer', outcome: 'done', bytes: bytes.slice(2) } as const;
    return { state, messages: [answer], replies: [] };
  }
  const messages: Message[] = [];
  while (reader.remaining > 0 && reader.peekU8() !== PACKAGE_END) {
    const type = reader.u8();
    const length = reader.u16LE();
    const time = reader.u32LE() * 1000;
    const data = reader.slice(length);
    reader.skip(1);
    if (type === TAGS) messages.push(readTags(data, time).toPosition());
    else if (!OTHERS.has(type)) return { state, messages, replies: [] };
  }
  return { state, messages, replies: [storedReply(new Writer(4).u8(0x7b).u8(0).u8(index).u8(0x7d).finish())] };
}

/** The answer to a header: by its version with nothing, with the time, or bare. */
function welcome(version: number, now: number): Uint8Array {
  const writer = new Writer(9).u8(0x7b);
  if (version === 0x22) writer.u8(0).u8(0);
  else if (version === 0x23 || version === 0x25) {
    const time = new Writer(4).u32LE(Math.floor(now / 1000)).finish();
    writer.u8(4).u8(0).u8(sum8(time)).raw(time);
  }
  return writer.u8(0x7d).finish();
}

/** Values that span several tags. */
interface Parts {
  latitude: number | undefined;
  longitude: number | undefined;
  valid: boolean;
  lac: number;
  cid: number;
  mcc: number;
  mnc: number;
  rssi: number;
}

const NO_FIX: ReadonlySet<number> = new Set([0xfe, 0xff]);
const TAG_BYTES = 5;

const PARTS: Readonly<Record<number, (reader: Reader, parts: Parts, draft: Draft) => void>> = {
  3: (reader, parts) => {
    parts.latitude = ninePlaces(reader.exactF32LE());
  },
  4: (reader, parts) => {
    parts.longitude = ninePlaces(reader.exactF32LE());
  },
  5: (reader, parts, draft) => {
    const course = reader.u8() * 2;
    const altitude = reader.u8() * 10;
    const satellites = reader.u8();
    parts.valid = !NO_FIX.has(satellites);
    draft.attributes['sat'] = (satellites & 0x0f) + (satellites >> 4);
    draft.setMovement(altitude, reader.u8() * KNOT_KMH, course);
  },
  7: (reader, parts) => {
    parts.cid = reader.u16LE();
    parts.lac = reader.u16LE();
  },
  8: (reader, parts) => {
    parts.rssi = reader.u8();
    parts.mcc = reader.u16LE();
    parts.mnc = reader.u8();
  },
};

/** Tags of four bytes each. */
function readTags(reader: Reader, time: number): Draft {
  const draft = new Draft();
  const parts: Parts = {
    latitude: undefined,
    longitude: undefined,
    valid: false,
    lac: 0,
    cid: 0,
    mcc: 0,
    mnc: 0,
    rssi: 0,
  };
  while (reader.remaining >= TAG_BYTES) {
    const tag = reader.u8();
    const value = reader.slice(4);
    const part = PARTS[tag];
    if (part === undefined) setElement(ELEMENTS.get(tag), value, draft);
    else part(value, parts, draft);
  }
  const { mcc, mnc, lac, cid, rssi } = parts;
  if (mcc || mnc || lac || cid || rssi) draft.addCell({ mcc, mnc, lac, cid, rssi: 0 - rssi });
  draft.deviceTime = time;
  const { latitude, longitude, valid } = parts;
  if (latitude !== undefined && longitude !== undefined) draft.setFix(time, valid, latitude, longitude);
  return draft;
}

function setElement(element: Element | undefined, reader: Reader, { attributes }: Draft): void {
  if (element === undefined) return;
  if (element.kind === 'read') element.read(reader, attributes);
  else attributes[element.key] = (NUMBERS[element.kind](reader) * element.factor) / element.per;
}

const NUMBERS = {
  u16: (reader: Reader) => reader.u16LE(),
  i16: (reader: Reader) => reader.i16LE(),
  u32: (reader: Reader) => reader.u32LE(),
} as const;

import { CodecError, type Draft, fromHex, ninePlaces, Reader, readOptional, toHex } from '#codec';

/** Decoded data of a device; a coordinate of zeros is no fix. */
type Fix = (valid: boolean, latitude: number, longitude: number) => void;

const OYSTER_BYTES = 12;
const OYSTER_POSITION = 0;
const FIX_FAILED = 0x20;
const IN_TRIP = 0x10;

/** `data` of a callback: up to 12 bytes, whose form the model or the first byte says. */
export function readData(draft: Draft, hex: string, isAmber: boolean, setFix: Fix): void {
  const bytes = fromHex(hex);
  const reader = new Reader(bytes);
  const header = bytes[0] ?? 0;
  if (isAmber) readAmber(draft, reader, setFix);
  else if (header === 0x0f || header === 0x1f) readSigned(draft, reader, setFix);
  else if (header >> 4 <= 3 && bytes.length === OYSTER_BYTES && (header & 0x0f) === OYSTER_POSITION)
    readOyster(draft, reader, setFix);
  else draft.attributes['payload'] = toHex(bytes);
}

function readAmber({ attributes }: Draft, reader: Reader, setFix: Fix): void {
  reader.skip(1);
  attributes['motion'] = (reader.u8() & 0x02) !== 0;
  attributes['battery'] = reader.u8() / 50;
  attributes['temp1'] = reader.i8();
  setFix(true, ninePlaces(reader.i32() / 60_000), ninePlaces(reader.i32() / 60_000));
}

/** The first bit is the sign. */
const signed = (raw: number): number => (raw < 0x8000_0000 ? raw : -(raw - 0x8000_0000)) / 1e6;

function readSigned({ attributes }: Draft, reader: Reader, setFix: Fix): void {
  const isValid = reader.u8() === 0x1f;
  setFix(isValid, signed(reader.u32()), signed(reader.u32()));
  attributes['batteryLevel'] = reader.u8();
}

/** Digital Matter, "Decoding the Oyster Sigfox payload", GPS data record. */
function readOyster(draft: Draft, reader: Reader, setFix: Fix): void {
  const flags = reader.u8();
  setFix((flags & FIX_FAILED) === 0, reader.i32LE() / 1e7, reader.i32LE() / 1e7);
  draft.attributes['motion'] = (flags & IN_TRIP) !== 0;
  const course = reader.u8() * 2;
  draft.setMovement(undefined, reader.u8(), course);
  draft.attributes['battery'] = reader.u8() / 40;
}

const SOS_EVENTS = new Set([0x22, 0x62]);
const MAC_BYTES = 6;

/** `payload` of a callback: an event, then a type and a value again and again. */
export function readPayload(draft: Draft, hex: string, setFix: Fix): void {
  const reader = new Reader(fromHex(hex));
  if (reader.remaining === 0) throw new CodecError('truncated', 'an empty payload');
  const event = reader.u8();
  draft.attributes['event'] = event;
  if (SOS_EVENTS.has(event)) draft.addAlarm('sos');
  readOptional(() => {
    while (reader.remaining > 0) (ITEMS[reader.u8()] ?? skipByte)(draft, reader, setFix);
  });
}

type ReadItem = (draft: Draft, reader: Reader, setFix: Fix) => void;

const skipByte: ReadItem = (_, reader) => {
  reader.skip(1);
};

const ITEMS: Readonly<Record<number, ReadItem>> = {
  // three bytes each, of which the unit is not known
  1: (_, reader) => reader.skip(6),
  2: (_, reader, setFix) => setFix(true, ninePlaces(reader.exactF32()), ninePlaces(reader.exactF32())),
  3({ attributes }, reader) {
    attributes['temp1'] = reader.i8() / 2;
  },
  4({ attributes }, reader) {
    attributes['battery'] = reader.u8() / 10;
  },
  5({ attributes }, reader) {
    attributes['batteryLevel'] = reader.u8();
  },
  6(draft, reader) {
    const address = reader.hex(MAC_BYTES).match(/../g)!.join(':');
    draft.addAccessPoint(address, -reader.u8());
  },
  7: (_, reader) => reader.skip(10),
  8: (_, reader) => reader.skip(6),
  9(draft, reader) {
    draft.speed = reader.u8();
  },
};

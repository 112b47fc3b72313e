import { CodecError, type DecodeContext, type Decoded, Draft, Reader, setDeviceNamed, storedReply } from '#codec';
import { LENGTH_BYTES } from './frame.ts';

const ACKNOWLEDGEMENT = Uint8Array.of(0x11);
const ALARM = 0x10;

/** Packets of many units on one connection: each record names its own. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const reader = new Reader(bytes, LENGTH_BYTES);
  const id = readText(reader);
  if (id === '') throw new CodecError('not-identified', 'an empty id', LENGTH_BYTES);
  const draft = new Draft();
  draft.deviceId = id;
  const time = reader.u32() * 1_000;
  draft.deviceTime = time;
  if ((reader.u32() & ALARM) !== 0) draft.addAlarm('general');
  while (reader.remaining > 0) readBlock(draft, time, reader);
  return { state, messages: [draft.toPosition()], replies: [storedReply(ACKNOWLEDGEMENT)] };
}

/** Text to a zero. */
function readText(reader: Reader): string {
  const end = reader.bytes.indexOf(0, reader.offset);
  if (end < 0) throw new CodecError('truncated', 'a text does not end', reader.offset);
  const text = reader.latin1(end - reader.offset);
  reader.skip(1);
  return text;
}

/** Type and size of a block, then whether it is hidden, the type of its value, its name and its value. */
function readBlock(draft: Draft, time: number, reader: Reader): void {
  reader.skip(2);
  const block = reader.slice(reader.u32());
  block.skip(1);
  const kind = block.u8();
  const name = readText(block);
  if (name === 'posinfo') readPlace(draft, time, block);
  else readValue(draft, kind, name, block);
}

function readPlace(draft: Draft, time: number, block: Reader): void {
  const [longitude, latitude, altitude] = [block.f64LE(), block.f64LE(), block.f64LE()];
  if (latitude !== 0 || longitude !== 0) draft.setFix(time, true, latitude, longitude);
  const speed = block.i16();
  draft.setMovement(altitude, speed, block.i16());
  draft.attributes['sat'] = block.u8();
}

const VALUES: Readonly<Record<number, (block: Reader) => string | number>> = {
  1: readText,
  3: (block) => block.i32(),
  4: (block) => block.f64LE(),
  5: (block) => block.i64Number(),
};

function readValue({ attributes }: Draft, kind: number, name: string, block: Reader): void {
  const value = VALUES[kind]?.(block);
  if (value !== undefined && value !== '' && !Number.isNaN(value)) setDeviceNamed(attributes, name, value);
}

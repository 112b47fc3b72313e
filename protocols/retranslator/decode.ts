import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type FileChunk,
  fileChunks,
  Reader,
  setDeviceNamed,
  storedReply,
} from '#codec';
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
  const pictures: FileChunk[] = [];
  while (reader.remaining > 0) readBlock(draft, time, reader, pictures);
  readKnown(draft);
  readCells(draft);
  return { state, messages: [...pictures, draft.toPosition()], replies: [storedReply(ACKNOWLEDGEMENT)] };
}

/** Names that Wialon gives the parameters of a unit, and the keys of the vocabulary that have the same unit. */
const KNOWN: readonly (readonly [name: string, key: string, type: 'number' | 'string'])[] = [
  ['avl_inputs', 'input', 'number'],
  ['avl_outputs', 'output', 'number'],
  ['pwr_ext', 'power', 'number'],
  ['pwr_int', 'battery', 'number'],
  ['avl_driver', 'driverUniqueId', 'string'],
];

/** Parameters of the cell of the modem, and of its neighbors. */
const CELLS = ['', '1', '2', '3', '4', '5', '6'].map((number) =>
  ['mcc', 'mnc', 'lac', 'cell_id'].map((name) => `${name}${number}`),
);

function readCells(draft: Draft): void {
  for (const names of CELLS) {
    const [mcc, mnc, lac, cid] = names.map((name) => draft.attributes[name]);
    if (typeof mcc === 'number' && typeof mnc === 'number' && typeof lac === 'number' && typeof cid === 'number')
      draft.addCell({ mcc, mnc, lac, cid });
  }
}

function readKnown({ attributes }: Draft): void {
  for (const [name, key, type] of KNOWN) {
    const value = attributes[name];
    if (typeof value === type && !Object.hasOwn(attributes, key)) attributes[key] = value!;
  }
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
function readBlock(draft: Draft, time: number, reader: Reader, pictures: FileChunk[]): void {
  reader.skip(2);
  const block = reader.slice(reader.u32());
  block.skip(1);
  const kind = block.u8();
  const name = readText(block);
  if (name === 'posinfo') readPlace(draft, time, block);
  else if (PICTURES.includes(name) && BINARY.includes(kind))
    pictures.push(...readPicture(draft, time, block, pictures.length));
  else readValue(draft, kind, name, block);
}

/** The document names the block of a picture in both ways, and its type: binary or JPEG. */
const PICTURES = ['imag', 'image'];
const BINARY = [2, 6];

/** Eight zeros, size and bytes of a JPEG. Source: Wialon Retranslator 1.0 (Gurtam, 2019), block of a picture. */
function readPicture(draft: Draft, time: number, block: Reader, before: number): readonly FileChunk[] {
  block.skip(8);
  const picture = block.view(block.u32());
  if (picture.length === 0) return [];
  const stamp = new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const name = `${stamp}${before === 0 ? '' : `-${before}`}.jpg`;
  draft.attributes['image'] ??= name;
  return fileChunks(name, 'image', picture).map((chunk) => ({ ...chunk, deviceId: draft.deviceId! }));
}

function readPlace(draft: Draft, time: number, block: Reader): void {
  const [longitude, latitude, altitude] = [block.f64LE(), block.f64LE(), block.f64LE()];
  if (latitude !== 0 || longitude !== 0) draft.setFix(time, true, latitude, longitude);
  const speed = block.i16();
  draft.setMovement(altitude, speed, block.i16());
  const sat = block.u8();
  if (sat !== UNKNOWN_SATELLITES) draft.attributes['sat'] = sat;
}

/** A relay that does not know their number sends -1. */
const UNKNOWN_SATELLITES = 0xff;

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

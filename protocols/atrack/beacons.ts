import { fromHex, Reader, readOptional, toHex } from '#codec';
import { type Value, value } from '#codec/text';
import type { PendingValues } from './fields.ts';

const TEMPERATURE = 0xe0;
const PLAIN = /^(\d):(\d{1,3}):([0-9A-Fa-f]{2,400})$/;
/** Bytes of the data behind a hardware id, in mode 4. */
const DATA_BYTES: Readonly<Record<number, number>> = { 1: 11, 2: 2, 3: 6, 4: 11, 5: 10 };

/** The variable that says that beacons come as elements. */
export const FRAMED = 'framed';

/** Beacons: elements with their lengths, or tags by a mode and a mask. */
export const beacons: Value = value((text, { draft, variables }) => {
  readBeacons(text, { draft }, variables[FRAMED] === 1);
  return true;
});

function readBeacons(text: string, record: PendingValues, isFramed: boolean): void {
  if (isFramed) {
    if (/^(?:[0-9A-Fa-f]{2}){1,400}$/.test(text)) readOptional(() => readElements(new Reader(fromHex(text)), record));
    return;
  }
  const m = PLAIN.exec(text);
  if (m === null || m[3]!.length % 2 !== 0) return;
  const reader = new Reader(fromHex(m[3]!));
  readOptional(() => {
    for (let number = 1; reader.remaining > 0; number++)
      readTag(reader, record, Number(m[1]), Number(m[2]), `tag${number}`);
  });
}

function readElements(reader: Reader, { draft }: PendingValues): void {
  for (let number = 1; reader.remaining > 0; number++) {
    const content = reader.slice(reader.u8());
    const id = content.u8();
    content.skip(6);
    if (id === TEMPERATURE) draft.attributes[`tag${number}Temp`] = content.i16() / 100;
  }
}

type Read = (reader: Reader, name: string, record: PendingValues) => void;
const readValue =
  (kind: 'u8' | 'u16', key: string): Read =>
  (reader, name, { draft }) => {
    draft.attributes[name + key] = reader[kind]();
  };
const pass =
  (bytes: number): Read =>
  (reader) =>
    reader.skip(bytes);
const rssi = readValue('u8', 'Rssi');

const readHardware: Read = (reader) => reader.skip(DATA_BYTES[reader.u8()] ?? 0);

/** Mode → bit of the mask → what stands there, from the highest bit on. */
const MODES: Readonly<Record<number, readonly (readonly [bit: number, read: Read])[]>> = {
  1: [
    [6, pass(2)],
    [5, pass(2)],
    [4, pass(1)],
    [3, rssi],
  ],
  2: [
    [6, pass(2)],
    [5, readValue('u16', 'Temp')],
    [4, pass(1)],
    [3, rssi],
  ],
  3: [
    [6, readValue('u16', 'Humidity')],
    [5, readValue('u16', 'Temp')],
    [3, rssi],
    [2, pass(2)],
  ],
  4: [
    [6, readHardware],
    [4, pass(9)],
  ],
};

const ID = 0x80;

function readTag(reader: Reader, record: PendingValues, mode: number, mask: number, name: string): void {
  const start = reader.offset;
  if (mask & ID) record.draft.attributes[`${name}Id`] = toHex(reader.view(6));
  for (const [bit, read] of MODES[mode] ?? []) if ((mask >> bit) & 1) read(reader, name, record);
  // A mask that takes nothing says nothing of where the next tag is.
  if (reader.offset === start) reader.skip(reader.remaining);
}

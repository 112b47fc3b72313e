import { CodecError, fixFlags, ninePlaces } from '#codec';
import { bytesLeft, type Field, type FieldList, inOrder, type Scope } from '#codec/binary';
import { ALARM_CODES, MODEL_ALARMS } from './elements.ts';
import type { Packet } from './packet.ts';
import { isScan } from './scan.ts';

const DEGREE = 1_800_000;

const PLACE_FLAGS = fixFlags({ valid: 0x1000, north: 0x0400, west: 0x0800 });

/**
 * Latitude and longitude in 1/1 800 000 degree, the speed in km/h where it stands here, and flags: bits 9 to 0 course,
 * 10 north, 11 west, 12 valid. The fix is of the device's time.
 */
function place(hasSpeed: boolean): Field<Packet> {
  const flagsAt = hasSpeed ? 9 : 8;
  return ({ reader, into }) => {
    const at = reader.take(flagsAt + 2);
    const b = reader.bytes;
    const latitude = (((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0) / DEGREE;
    const longitude = (((b[at + 4]! << 24) | (b[at + 5]! << 16) | (b[at + 6]! << 8) | b[at + 7]!) >>> 0) / DEGREE;
    const flags = (b[at + flagsAt]! << 8) | b[at + flagsAt + 1]!;
    into.setFix(
      into.deviceTime!,
      PLACE_FLAGS.isValid(flags),
      PLACE_FLAGS.latitude(flags, ninePlaces(latitude)),
      PLACE_FLAGS.longitude(flags, ninePlaces(longitude)),
    );
    into.course = flags & 0x03ff;
    if (hasSpeed) into.speed = b[at + 8]!;
  };
}

export const PLACE: Field<Packet> = place(true);
export const PLACE_WITHOUT_SPEED: Field<Packet> = place(false);

/** Bit 14 of the flags that have just been read says that bit 15 is the ignition. */
export const IGNITION_FLAG: Field<Packet> = ({ reader, into }) => {
  const high = reader.bytes[reader.offset - 2]!;
  if (high & 0x40) into.attributes['ignition'] = (high & 0x80) !== 0;
};

/** Country and network of a cell: the network has two bytes where bit 15 of the country says so, or always. */
export function operator(wide?: 'wide'): Field<Packet> {
  return (scope) => {
    const mcc = scope.reader.u16();
    scope.mcc = mcc & 0x7fff;
    scope.mnc = mcc & 0x8000 || wide ? scope.reader.u16() : scope.reader.u8();
  };
}

/** An empty block may be padded with zeros to the room of its neighbour cells. */
const EMPTY_PADDING = 45;
const PADDING_ZEROS_FROM = 9;

function skipPadding({ reader }: Scope<Packet>): void {
  if (reader.remaining < EMPTY_PADDING) return;
  for (let ahead = PADDING_ZEROS_FROM; ahead < EMPTY_PADDING; ahead++) if (reader.peekU8(ahead) !== 0) return;
  reader.skip(EMPTY_PADDING);
}

/**
 * The serving cell behind a length byte, 0 without a cell. `own` is the value of the byte for a cell alone; more are
 * neighbours, which are passed over. `more` follows where there is a cell.
 */
export function counted(cell: FieldList<Packet>, own: number, more: FieldList<Packet> = []): Field<Packet> {
  const [readCell, readMore] = [inOrder(cell), inOrder(more)];
  return (scope) => {
    const { reader } = scope;
    const length = reader.u8();
    if (length === 0) return skipPadding(scope);
    readCell(scope);
    if (length > own) reader.skip(length - own);
    readMore(scope);
  };
}

export interface AlarmCode {
  /** what the code means here, before what it means to the device's models */
  readonly names?: Readonly<Record<number, string>>;
  /** continued in the high nibble of the language byte, which follows */
  readonly continued?: true;
  /** the code itself is an attribute too */
  readonly key?: string;
}

/** An alarm code of one byte. */
export function alarmCode({ names = {}, continued, key }: AlarmCode = {}): Field<Packet> {
  return ({ reader, into }) => {
    let code = reader.u8();
    if (continued && reader.remaining > 0) code |= (reader.peekU8() >> 4) << 8;
    if (key !== undefined) into.attributes[key] = code;
    into.addAlarm(names[code] ?? MODEL_ALARMS[into.models]?.[code] ?? ALARM_CODES[code]);
  };
}

/** The satellites of two systems in one number, behind it the signal strength. */
export const SATELLITES_AND_SIGNAL: Field<Packet> = ({ reader, into }) => {
  const signals = reader.u16();
  into.attributes['sat'] = ((signals >> 10) & 0x1f) + ((signals >> 5) & 0x1f);
  into.attributes['rssi'] = signals & 0x1f;
};

/** The number of a 4G cell has so many bits. */
const CELL_NUMBERS = 0x1000_0000;

/** Area, cell of four bytes, signal. Some devices send numbers that no cell has. */
export const LTE_CELL: Field<Packet> = ({ reader, into, mcc, mnc }) => {
  const [lac, cid, signal] = [reader.u16(), reader.u32(), reader.u8()];
  if (cid > 0 && cid < CELL_NUMBERS) into.addCell({ mcc, mnc, lac, cid, rssi: 0 - signal });
};

/**
 * Of GPS and then of BeiDou: the state of the receiver, the satellites of the fix and the others in view, each a count
 * with a signal level a satellite.
 */
export const SATELLITES_HEARD: Field<Packet> = ({ reader, into: { attributes } }) => {
  let [used, inView] = [0, 0];
  for (let system = 1; system <= 2 && reader.remaining >= 3; system++) {
    const state = reader.u8();
    attributes['gps'] ??= state;
    const fixed = reader.u8();
    reader.skip(fixed);
    const others = reader.u8();
    reader.skip(others);
    used += fixed;
    inView += fixed + others;
  }
  attributes['sat'] = used;
  attributes['satVisible'] = inView;
};

const ACCESS_POINT_BYTES = 7;
const MAX_NAME_BYTES = 32;

/** Whether each access point ends with the length of its name and the name. */
function haveNames(bytes: Uint8Array, start: number, end: number, count: number): boolean {
  let at = start;
  for (let open = count; open > 0 && at < end; open--) {
    const length = at + ACCESS_POINT_BYTES < end ? bytes[at + ACCESS_POINT_BYTES]! : MAX_NAME_BYTES + 1;
    if (length > MAX_NAME_BYTES) return false;
    at += ACCESS_POINT_BYTES + 1 + length;
  }
  return at === end;
}

/** Access points behind their count, with their names or without. */
export const NAMED_ACCESS_POINTS: Field<Packet> = ({ reader, into }) => {
  const count = reader.u8();
  const { bytes, offset, end } = reader;
  const hasNames = end - offset !== count * ACCESS_POINT_BYTES && haveNames(bytes, offset, end, count);
  for (let open = count; open > 0 && reader.remaining > 0; open--) {
    into.addAccessPoint(reader.mac(), 0 - reader.u8());
    if (hasNames) reader.skip(reader.u8());
  }
};

/** Analogue inputs, as many as bits 23 to 20 of the port information say, which `mask` has read. */
export const ANALOGUE_INPUTS: Field<Packet> = ({ reader, into, mask }) => {
  for (let input = 1; input <= ((mask >>> 20) & 0x0f); input++) into.attributes[`adc${input}`] = reader.u16() / 100;
};

/** Access points, as many as the length byte of the frame says, then cells of one network. */
export const SCANNED: Field<Packet> = ({ reader, into }) => {
  for (let open = into.length; open > 0; open--) into.addAccessPoint(reader.mac(), 0 - reader.u8());
  const cells = reader.u8();
  const mcc = reader.u16();
  const mnc = reader.u8();
  for (let open = cells; open > 0; open--)
    into.addCell({ mcc, mnc, lac: reader.u16(), cid: reader.u16(), rssi: 0 - reader.u8() });
  if (reader.remaining > 0) readAlarms(reader.u8(), into);
};

/** The byte behind a scan, as in frames of Topin. */
function readAlarms(bits: number, into: Packet): void {
  if ((bits & 0x01) !== 0) into.addAlarm('vibration');
  else if ((bits & 0x02) !== 0) into.addAlarm('overspeed');
  else if ((bits & 0x10) !== 0) into.addAlarm('lowPower');
}

const HEX = /^[0-9a-fA-F]{1,12}$/;

export interface HexPairs {
  readonly separator: string;
  /** keys of the attributes, by what stands before the `=` */
  readonly keys: Readonly<Record<string, string>>;
  /** names have so many characters, whatever follows them; all of what stands before the `=` where it is not given */
  readonly characters?: number;
  /** the numbers are divided by it */
  readonly per?: number;
  /** what is no number but text, by the same */
  readonly texts?: Readonly<Record<string, string>>;
  /** bytes behind the text */
  readonly behind?: number;
}

/** Text of pairs, hexadecimal numbers behind their names: `ALM1=45;ALM2=D5;…`. Pairs of other names say nothing. */
export function hexPairs({ separator, keys, characters, per = 1, texts = {}, behind = 0 }: HexPairs): Field<Packet> {
  return (scope) => {
    const { attributes } = scope.into;
    const text = scope.reader.latin1(Math.max(0, bytesLeft(scope) - behind));
    for (const pair of text.replaceAll('\0', '').split(separator)) {
      const [before = '', value = ''] = pair.trim().split('=', 2);
      const name = before.slice(0, characters).toUpperCase();
      const [key, textKey] = [keys[name], texts[name]];
      if (textKey !== undefined && value !== '') attributes[textKey] = value;
      else if (key !== undefined && HEX.test(value)) attributes[key] = Number.parseInt(value, 16) / per;
    }
  };
}

/** A message without any value is not understood. */
export const NOT_EMPTY: Field<Packet> = ({ reader, into }) => {
  if (into.isEmpty) throw new CodecError('bad-text', 'not the text that belongs here', reader.offset);
};

/** Only the form without a checksum is known. */
export const SCAN_ONLY: Field<Packet> = ({ into }) => {
  if (!isScan(into.bytes))
    throw new CodecError('bad-length', 'neither the form with nor the one without a checksum', 2);
};

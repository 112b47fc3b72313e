import { type Cell, type Draft, type Reader, toHex } from '#codec';

type Read = (reader: Reader, draft: Draft, cell: Partial<Record<keyof Cell, number>>) => void;

const set =
  (key: string, read: (reader: Reader) => number | string | boolean): Read =>
  (reader, { attributes }) => {
    attributes[key] = read(reader);
  };
const u8 = (key: string): Read => set(key, (reader) => reader.u8());
const u32 = (key: string): Read => set(key, (reader) => reader.u32LE());
const hex = (key: string, size: number): Read => set(key, (reader) => toHex(reader.view(size)));
const text = (key: string, size: number): Read => set(key, (reader) => reader.latin1(size).replace(/[\0 ]+$/, ''));
const pass =
  (size: number): Read =>
  (reader) =>
    reader.skip(size);
const ofCell =
  (key: 'cid' | 'lac' | 'mcc' | 'mnc'): Read =>
  (reader, _, cell) => {
    cell[key] = reader.u16LE();
  };

const modbus = (n: number): Read => set(`modbus${n}`, (reader) => reader.i32LE() / 100);

const DISCONNECTED = 127;

/** A thermometer of the tags 70 to 77, with fractions of a degree. */
const thermometer =
  (n: number): Read =>
  (reader, { attributes }) => {
    const id = reader.u16LE();
    const value = reader.i16LE() / 256;
    attributes[`temp${n}Id`] = id;
    if (id !== DISCONNECTED) attributes[`temp${n}`] = value;
  };

const satellites =
  (system: string): Read =>
  (reader, { attributes }) => {
    for (const figure of ['Visible', 'Used', 'Snr', 'SnrMost']) attributes[`${system}${figure}`] = reader.u8();
  };

/** Pressure in psi, temperature, state. */
const wheel =
  (n: number): Read =>
  (reader, { attributes }) => {
    const pressure = reader.u8();
    const temperature = reader.i8();
    if (reader.u8() & 1) return;
    attributes[`tyre${n}Pressure`] = pressure;
    attributes[`tyre${n}Temp`] = temperature;
  };

const EMERGENCY = 13;

const reason: Read = (reader, draft) => {
  const event = reader.u8();
  draft.attributes['event'] = event;
  if (event === EMERGENCY) draft.addAlarm('sos');
};

type Row = readonly [tag: number, read: Read];
const run = (first: number, last: number, of: (n: number) => Read, from = 0): Row[] =>
  Array.from({ length: last - first + 1 }, (_, n) => [first + n, of(from + n)]);

/** "Packet protocol tags", extended tags. Those of J1939 (10020 to 32769) have no size of their own. */
const TABLE: ReadonlyMap<number, Read> = new Map<number, Read>([
  ...run(0x0001, 0x0020, modbus),
  ...run(0x0021, 0x0060, (n) => u32(`bluetooth${n}`)),
  ...run(0x0061, 0x0080, modbus, 32),
  [0x0081, ofCell('cid')],
  [0x0082, ofCell('lac')],
  [0x0083, ofCell('mcc')],
  [0x0084, ofCell('mnc')],
  [0x0085, u8('rssi')],
  ...run(0x0086, 0x008d, thermometer),
  [0x008e, satellites('gps')],
  [0x008f, satellites('glonass')],
  [0x0090, satellites('beidou')],
  [0x0091, satellites('galileo')],
  [0x0092, text('imsi', 15)],
  [0x0093, u8('simSlot')],
  [0x0094, text('iccid', 20)],
  [0x00a4, u8('wifiStatus')],
  [0x00a5, u8('wifiError')],
  [0x00a6, u8('modemStatus')],
  [0x00a7, u8('registration')],
  [0x00a8, u8('gprs')],
  [0x00a9, u32('freeMemory')],
  [0x00ab, pass(12)],
  [0x00ac, u32('lastRecord')],
  [0x00ad, pass(6)],
  [0x00ae, pass(6)],
  [0x00af, pass(14)],
  [0x00b0, u8('snr')],
  [0x00b1, u8('sdStatus')],
  [0x00b2, u8('sdError')],
  [0x00b3, pass(12)],
  ...run(0x00b4, 0x00b6, () => pass(6)),
  ...run(0x00d9, 0x00fa, wheel),
  [0x00fc, reason],
  [0x00fd, hex('iButton', 8)],
  [0x00fe, hex('iButton2', 8)],
]);

/** Values of tag FE, each with a tag of two bytes; one of unknown size ends the reading. */
export function readExtended(reader: Reader, draft: Draft): void {
  const cell: Partial<Record<keyof Cell, number>> = {};
  while (reader.remaining > 2) {
    const read = TABLE.get(reader.u16LE());
    if (read === undefined) break;
    read(reader, draft, cell);
  }
  const { mcc, mnc, lac, cid } = cell;
  if (mcc && mnc !== undefined && lac && cid) draft.addCell({ mcc, mnc, lac, cid });
}

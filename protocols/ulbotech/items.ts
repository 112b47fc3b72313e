import { type Draft, ninePlaces, Reader, readOptional, toHex } from '#codec';
import {
  alarmsByMask,
  attr,
  cell,
  type Field,
  type FieldList,
  fix,
  flagByMask,
  groups,
  layout,
  type NumberUse,
  number,
  optionalTail,
  text,
  u8,
  u32,
} from '#codec/binary';
import { readCan } from './can.ts';

/** A position without a fix has this dilution. */
const NO_FIX = 9_999;

const PLACE = [
  fix.coordinates('i32', 1e6),
  fix.speed('u16'),
  fix.course('u16'),
  number('u16', (raw, { into }) => {
    into.hasFix = true;
    into.valid = raw < NO_FIX && (into.latitude !== 0 || into.longitude !== 0);
    if (raw < NO_FIX) into.attributes['hdop'] = raw / 100;
  }),
];

const AREA = ['lac', 'u16'] as const;
const ONE_CELL_BYTES = 11;
const CELL_BYTES = 5;

/** One cell with a number of four bytes, or up to seven of one operator with numbers of two. */
const CELLS: Field = (scope) => {
  const { reader } = scope;
  const isOne = reader.remaining === ONE_CELL_BYTES;
  [scope.mcc, scope.mnc] = [reader.u16(), reader.u16()];
  if (isOne) LARGE_CELL(scope);
  else SMALL_CELLS(scope);
};
const LARGE_CELL = cell([AREA, ['cid', 'u32'], ['rssi', 'u8']]);
const SMALL_CELLS = groups(cell([AREA, ['cid', 'u16'], ['rssi', 'u8']]), { bytes: CELL_BYTES });

/** no cell */
const NOWHERE = 0xffff;
const KNOWN_CELL: Field = (scope) => {
  if (((scope.reader.peekU8() << 8) | scope.reader.peekU8(1)) !== NOWHERE) CELLS(scope);
};

const ALARMS = alarmsByMask([
  [0x0001, 'powerCut'],
  [0x0002, 'movement'],
  [0x0004, 'overspeed'],
  [0x0008, 'jamming'],
  [0x0010, 'geofence'],
  [0x0020, 'tow'],
  [0x0400, 'sos'],
  [0x4000, 'accident'],
  [0x8000, 'lowBattery'],
]);

/** Of the status: engine, moving, immobilizer. */
const STATUS = [
  number(
    'u16',
    attr('status'),
    flagByMask(0x0200, 'ignition'),
    flagByMask(0x0002, 'motion'),
    flagByMask(0x0020, 'blocked'),
  ),
  number('u16', ALARMS),
];

/** What the inputs of a device are by their numbers, in the units of the vocabulary. */
export const ADC_KEYS: Readonly<Record<number, readonly string[]>> = {
  0: ['power'],
  1: ['temp1', 'deviceTemp'],
  2: ['battery'],
  3: ['adc1'],
  4: ['batteryLevel'],
  5: ['fuel1'],
  6: ['fuel2'],
  7: ['fuel3'],
  8: ['fuel4'],
  9: ['fuel5'],
};

/** Twelve bits over a range that depends on the input. */
interface Input {
  readonly range: number;
  readonly from: number;
}
const STEPS = 4_096;
const VOLTS: Input = { range: 110, from: -10 };
const LEVEL: Input = { range: 2_000, from: 0 };
/** The scale of the battery's level is not known. */
const INPUTS: readonly (Input | undefined)[] = [
  VOLTS,
  { range: 180, from: -55 },
  VOLTS,
  VOLTS,
  undefined,
  ...[5, 6, 7, 8, 9].map(() => LEVEL),
];
const TEMPERATURE = 1;

/** A supply that is cut off is a step below 0 V. */
const input: Field = ({ reader, into }) => {
  const raw = reader.u16();
  const [id, value] = [raw >> 12, raw & 0x0fff];
  const known = INPUTS[id];
  if (known === undefined) into.attributes[`io${id}`] = value;
  else {
    const scaled = (value * known.range) / STEPS + known.from;
    for (const key of ADC_KEYS[id]!) into.attributes[key] = id === TEMPERATURE ? scaled : Math.max(0, scaled);
  }
};

const DRIVING_ALARMS = alarmsByMask([
  [0x01, 'hardAcceleration'],
  [0x02, 'hardBraking'],
  [0x04, 'hardCornering'],
  [0x10, 'idle'],
  [0x20, 'fatigueDriving'],
  [0x80, 'highRpm'],
]);

const DRIVING = [
  'rapidAcceleration',
  'roughBraking',
  'harshCourse',
  'noWarmUp',
  'longIdle',
  'fatigueDriving',
  'roughTerrain',
  'highRpm',
].map((key, index) => attr(key, { mask: 1 << index, shift: index, lookup: { 1: true } }));

const perCent = (raw: number): number => ninePlaces((raw * 100) / 255);

/** Parameters of OBD modes 1 and 2. */
const PARAMETERS: Readonly<Record<number, readonly [key: string, scale: (raw: number) => number]>> = {
  0x04: ['engineLoad', perCent],
  0x05: ['coolantTemp', (raw) => raw - 40],
  0x0b: ['mapIntake', (raw) => raw],
  0x0c: ['rpm', (raw) => raw / 4],
  0x0d: ['obdSpeed', (raw) => raw],
  0x0f: ['intakeTemp', (raw) => raw - 40],
  0x11: ['throttle', perCent],
  0x21: ['milDistance', (raw) => raw],
  0x2f: ['fuelLevel', perCent],
  0x31: ['clearedDistance', (raw) => raw],
};

const LETTERS = ['P', 'C', 'B', 'U'];
const troubleCode = (raw: number): string =>
  `${LETTERS[raw >> 14]}${(raw & 0x3fff).toString(16).toUpperCase().padStart(4, '0')}`;

/** Its size (with this byte) and mode in one byte, then the parameter and its value, or trouble codes. */
const obdValue: Field = ({ reader, into }) => {
  const head = reader.u8();
  const part = reader.slice(Math.min(Math.max(0, (head >> 4) - 1), reader.remaining));
  const mode = head & 0x0f;
  if (mode === 3) {
    const codes: string[] = [];
    while (part.remaining >= 2) codes.push(troubleCode(part.u16()));
    const before = into.attributes['dtcs'];
    into.attributes['dtcs'] = [...(before === undefined ? [] : [before]), ...codes].join(' ');
  } else if ((mode === 1 || mode === 2) && part.remaining > 1) {
    const known = PARAMETERS[part.u8()];
    let raw = 0;
    while (part.remaining > 0) raw = raw * 256 + part.u8();
    if (known !== undefined) into.attributes[known[0]] = known[1](raw);
  }
};

/** Type and size (of number and value) in one byte, the number, its value. */
const j1708Value: Field = ({ reader, into }) => {
  const head = reader.u8();
  const part = reader.slice(Math.min(head & 0x3f, reader.remaining));
  if (part.remaining === 0) return;
  const type = head >> 6;
  const id = part.u8() + (type === 3 ? 256 : 0);
  if (type >= 2) into.attributes[`pid${id}`] = toHex(part.view(part.remaining));
};

/** The number of the card, and whether it is a known one. */
const card: Field = ({ reader, into, end }) => {
  const digits = reader.latin1(Math.max(0, end - reader.offset - 1));
  if (digits !== '') into.attributes['driverUniqueId'] = digits;
  into.attributes['authorized'] = reader.u8() !== 0;
};

/** The mask of these events has the bits of the alarm word or of the driving behavior. */
const EVENT_ALARMS: Readonly<Record<number, NumberUse>> = { 0xe0: ALARMS, 0x90: DRIVING_ALARMS };
const eventMask = number('u32', attr('eventMask'), (raw, scope) => {
  EVENT_ALARMS[Number(scope.into.attributes['event'])]?.(raw, scope);
});

const can: Field = ({ reader, into }) => {
  const data = reader.view(reader.remaining);
  if (data.length === 0) return;
  into.attributes['can'] = toHex(data);
  readCan(data, into);
};

/** The numbers of the items. */
export const ITEM = {
  place: 0x01,
  cells: 0x02,
  status: 0x03,
  odometer: 0x04,
  inputs: 0x05,
  geofence: 0x06,
  obd: 0x07,
  fuel: 0x08,
  obdAlarm: 0x09,
  driving: 0x0a,
  can: 0x0b,
  j1708: 0x0c,
  vin: 0x0d,
  card: 0x0e,
  engine: 0x0f,
  event: 0x10,
};

const MS = 1_000;

const TABLE: Readonly<Record<number, FieldList>> = {
  [ITEM.place]: PLACE,
  [ITEM.cells]: KNOWN_CELL,
  [ITEM.status]: STATUS,
  [ITEM.odometer]: u32('odometer'),
  [ITEM.inputs]: groups(input, { bytes: 2 }),
  [ITEM.geofence]: [u32('geofenceIn'), u32('geofenceAlarm')],
  [ITEM.obd]: groups(obdValue),
  // a count of a unit that depends on the algorithm, and is not known
  [ITEM.fuel]: u32('io8'),
  [ITEM.obdAlarm]: groups(obdValue),
  [ITEM.driving]: number('u8', ...DRIVING, DRIVING_ALARMS),
  [ITEM.can]: can,
  [ITEM.j1708]: groups(j1708Value),
  [ITEM.vin]: text('vin', 'rest'),
  [ITEM.card]: card,
  [ITEM.engine]: u32('hours', { factor: MS }),
  [ITEM.event]: [u8('event'), optionalTail(eventMask)],
};

const READERS = new Map(Object.entries(TABLE).map(([id, fields]) => [Number(id), layout(fields)]));

/** One item. One that is cut short or malformed loses what it lacks, and no other. */
export function readItem(type: number, content: Uint8Array, draft: Draft): void {
  readOptional(() => READERS.get(type)?.(new Reader(content), draft));
}

/** The sizes of these have two bytes: messages of the vehicle's network, and beacons. */
const LARGE: ReadonlySet<number> = new Set([ITEM.can, 0x3f]);
/** The upper half of the size is the number of an algorithm. */
const SIZE_OF_FUEL = 0x0f;

/** Type, size and content. */
export function readItems(reader: Reader, draft: Draft): void {
  while (reader.remaining >= 2) {
    const type = reader.u8();
    const size = LARGE.has(type) && reader.remaining >= 2 ? reader.u16() : reader.u8();
    const content = reader.slice(Math.min(type === ITEM.fuel ? size & SIZE_OF_FUEL : size, reader.remaining));
    readItem(type, content.view(content.remaining), draft);
  }
}

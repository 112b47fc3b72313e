import { type Draft, ninePlaces, type Reader, readOptional, toHex } from '#codec';
import {
  alarmBits,
  attr,
  bit,
  cell,
  choose,
  coordinates,
  type Field,
  type FieldList,
  fixField,
  groups,
  hasAtLeast,
  hex,
  layout,
  number,
  optionalTail,
  text,
  u8,
  u32,
} from '#codec/binary';

/** A position without a fix has this dilution. */
const NO_FIX = 9_999;

const PLACE = [
  coordinates('i32', 1e6),
  number('u16', fixField('speed')),
  number('u16', fixField('course')),
  number('u16', (raw, { into }) => {
    into.hasFix = true;
    into.valid = raw < NO_FIX;
    if (raw < NO_FIX) into.attributes['hdop'] = raw / 100;
  }),
];

const OPERATOR = [
  ['mcc', 'u16'],
  ['mnc', 'u16'],
  ['lac', 'u16'],
] as const;
const CELL_BYTES = 11;

const CELL = choose(
  [[hasAtLeast(CELL_BYTES), cell([...OPERATOR, ['cid', 'u32'], ['rssi', 'u8']])]],
  cell([...OPERATOR, ['cid', 'u16'], ['rssi', 'u8']]),
);

/** no cell */
const NOWHERE = 0xffff;
const KNOWN_CELL: Field = (scope) => {
  if (((scope.reader.peekU8() << 8) | scope.reader.peekU8(1)) !== NOWHERE) CELL(scope);
};

const STATUS = [
  number('u16', attr('status'), bit(0x0200, 'ignition')),
  number(
    'u16',
    alarmBits([
      [0x01, 'powerOff'],
      [0x02, 'movement'],
      [0x04, 'overspeed'],
      [0x10, 'geofence'],
      [0x400, 'sos'],
    ]),
  ),
];

/** Twelve bits over a range that depends on the input. */
interface Input {
  readonly key: string;
  readonly range: number;
  readonly from: number;
}
const STEPS = 4_096;
const volts = (key: string): Input => ({ key, range: 110, from: -10 });
const INPUTS: readonly (Input | undefined)[] = [
  volts('power'),
  { key: 'temp1', range: 180, from: -55 },
  volts('battery'),
  volts('adc1'),
  undefined,
  ...[1, 2, 3, 4, 5].map((n) => ({ key: `fuel${n}`, range: 2_000, from: 0 })),
];

/** A supply that is cut off is a step below 0 V. */
const input: Field = ({ reader, into }) => {
  const raw = reader.u16();
  const [id, value] = [raw >> 12, raw & 0x0fff];
  const known = INPUTS[id];
  if (known === undefined) into.attributes[`io${id}`] = value;
  else {
    const scaled = (value * known.range) / STEPS + known.from;
    into.attributes[known.key] = known.key === 'temp1' ? scaled : Math.max(0, scaled);
  }
};

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

const TABLE: Readonly<Record<number, FieldList>> = {
  0x01: PLACE,
  0x02: KNOWN_CELL,
  0x03: STATUS,
  0x04: u32('odometer'),
  0x05: groups(input, { bytes: 2 }),
  0x06: [u32('geofenceIn'), u32('geofenceAlarm')],
  0x07: groups(obdValue),
  0x08: u32('fuelUsed', { divisor: 10_000 }),
  0x09: groups(obdValue),
  0x0a: number('u8', ...DRIVING),
  0x0b: hex('can', 'rest'),
  0x0c: groups(j1708Value),
  0x0d: text('vin', 'rest'),
  0x0e: card,
  0x10: [u8('event'), optionalTail([u32('eventMask')])],
};

const READERS = new Map(Object.entries(TABLE).map(([id, fields]) => [Number(id), layout(fields)]));

/** Its size has two bytes. */
const CAN = 0x0b;

/** Type, size and content. One that is cut short or malformed loses what it lacks, and no other. */
export function readItems(reader: Reader, draft: Draft): void {
  while (reader.remaining >= 2) {
    const type = reader.u8();
    const size = type === CAN && reader.remaining >= 2 ? reader.u16() : reader.u8();
    const content = reader.slice(Math.min(size, reader.remaining));
    readOptional(() => READERS.get(type)?.(content, draft));
  }
}

import { type Draft, type Reader, toLatin1 } from '#codec';

/** Values of a custom report that are combined after all fields are read. */
export interface PendingValues {
  readonly draft: Draft;
  /** what a cell id is sent as */
  readonly cellKind?: CellKind;
  signal?: number | undefined;
  cell?: number | undefined;
  lac?: number | undefined;
  mcc?: number | undefined;
  mnc?: number | undefined;
  altitude?: number | undefined;
}

export type BinaryField = (reader: Reader, record: PendingValues) => void;
type Kind = 'u8' | 'u16' | 'i16' | 'u32';
/** Devices of the second generation send two bytes, later ones four. */
export type CellKind = 'u16' | 'u32';

/** Text up to a zero. */
export function readText(reader: Reader): string {
  const zero = reader.bytes.indexOf(0, reader.offset);
  const end = zero < 0 || zero > reader.end ? reader.end : zero;
  const text = toLatin1(reader.bytes, reader.offset, end);
  reader.skip(Math.min(end + 1, reader.end) - reader.offset);
  return text;
}

const number =
  (kind: Kind, key: string, factor = 1, per = 1, offset = 0): BinaryField =>
  (reader, { draft }) => {
    draft.attributes[key] = (reader[kind]() * factor) / per + offset;
  };
const flag =
  (key: string): BinaryField =>
  (reader, { draft }) => {
    draft.attributes[key] = reader.u8() > 0;
  };
const text =
  (key: string): BinaryField =>
  (reader, { draft }) => {
    const value = readText(reader);
    if (value !== '') draft.attributes[key] = value;
  };
const alarm =
  (name: string): BinaryField =>
  (reader, { draft }) => {
    if (reader.u8() > 0) draft.addAlarm(name);
  };
const assign =
  (kind: Kind, key: 'signal' | 'lac' | 'altitude'): BinaryField =>
  (reader, record) => {
    record[key] = reader[kind]();
  };

const dropped = (read: (reader: Reader) => unknown, names: string): [string, BinaryField][] =>
  names.split(' ').map((name) => [name, (reader) => void read(reader)]);

/** °C, of a vehicle that does not say */
const COLDEST = -40;
const HOURS = 360_000;
const HALF_HOURS = 180_000;

/** Values of one's own, in a binary record. Source: AK/AX protocol document, custom fields. */
export const BINARY_FIELDS: ReadonlyMap<string, BinaryField> = new Map<string, BinaryField>([
  ['SA', number('u8', 'sat')],
  ['MT', flag('motion')],
  ['MV', number('u16', 'power', 1, 10)],
  ['BV', number('u16', 'battery', 1, 10)],
  ['GQ', assign('u8', 'signal')],
  [
    'CE',
    (reader, record) => {
      record.cell = reader[record.cellKind ?? 'u32']();
    },
  ],
  ['LC', assign('u16', 'lac')],
  [
    'CN',
    (reader, record) => {
      const operator = reader.u32();
      const [digits, per] = operator >= 200_000 && operator < 1_000_000 ? [operator, 1_000] : [operator % 100_000, 100];
      record.mcc = Math.floor(digits / per);
      record.mnc = digits % per;
    },
  ],
  ['PC', number('u32', 'count1')],
  ['AT', assign('u32', 'altitude')],
  ['RP', number('u16', 'rpm')],
  ['GS', number('u8', 'rssi')],
  [
    'DT',
    (reader, { draft }) => {
      draft.attributes['archive'] = reader.u8() === 1;
    },
  ],
  ['VN', text('vin')],
  ['TR', number('u8', 'throttle')],
  [
    'ET',
    (reader, { draft }) => {
      const degrees = reader.i16();
      if (degrees > COLDEST) draft.attributes['coolantTemp'] = degrees;
    },
  ],
  ['FL', number('u8', 'fuelLevel')],
  ['FC', number('u32', 'fuelUsed', 1, 10)],
  ['AV1', number('u16', 'adc1', 1, 1000)],
  ['CD', text('iccid')],
  ['EO', number('u32', 'odometer', 1609.34)],
  ['EH', number('u32', 'hours', HOURS)],
  ['ZO4', number('u8', 'throttle', 0.4)],
  ['ZO6', number('u8', 'obdSpeed', 0.805)],
  ['ZO9', number('u8', 'engineLoad', 0.5)],
  ['ZO10', number('u8', 'fuelLevel', 0.5)],
  ['ZO14', number('u8', 'coolantTemp')],
  ['ZH2', number('u16', 'fuelConsumption', 16.428, 3600)],
  ['ZH3', number('u16', 'rpm', 0.25)],
  ['ZL2', number('u32', 'odometer', 161)],
  ['ZL4', number('u32', 'hours', HALF_HOURS)],
  ['ZS1', text('vin')],
  ['JO4', number('u8', 'engineLoad')],
  ['JO5', number('u8', 'fuelLevel', 0.4)],
  ['JO11', number('u8', 'coolantTemp', 1, 1, -40)],
  ['JH1', number('u16', 'obdSpeed', 1, 256)],
  ['JH2', number('u16', 'rpm', 0.125)],
  ...[1, 2, 3, 4, 5].map((axle): [string, BinaryField] => [`JH${axle + 2}`, number('u16', `axleWeight${axle}`, 0.5)]),
  ['JH8', number('u16', 'serviceOdometer', 5)],
  ['JH11', number('u16', 'fuelConsumption', 1, 20)],
  ['JL1', number('u32', 'fuelUsed', 0.5)],
  ['JL2', number('u32', 'hours', HALF_HOURS)],
  ['JL3', number('u32', 'odometer', 1000)],
  ['JL4', number('u32', 'fuelUsed', 1, 1000)],
  ['JS1', text('vin')],
  ['JS3', text('driver1')],
  ['JS4', text('driver2')],
  ['IN0', flag('ignition')],
  ['IN1', flag('in1')],
  ['IN2', flag('in2')],
  ['IN3', flag('in3')],
  ['HA', alarm('hardAcceleration')],
  ['HB', alarm('hardBraking')],
  ['HC', alarm('hardCornering')],
  ...dropped(
    (reader) => reader.u8(),
    'RL EL ML PD IA MP ZO1 ZO2 ZO3 ZO5 ZO7 ZO8 ZO11 ZO12 ZO13 ZO15 ZO16 ZO17 JO1 JO2 JO3 JO6 JO7 JO8 JO9 JO10 JO12',
  ),
  ...dropped((reader) => reader.u16(), 'MF SM ZH1 JH9 JH10 JH12'),
  ...dropped((reader) => reader.u32(), 'ZL1 ZL3 JN1 JN2 JN3 JN4 JN5'),
  ...dropped((reader) => reader.skip(8), 'CM ME'),
  ...dropped((reader) => reader.skip(60), 'GN'),
  ...dropped((reader) => reader.skip(6), 'GV'),
  ...dropped(readText, 'CI NC GL MA JS2'),
]);

/** Names of a format such as `%MV%BV`, with or without the `%CI` at its head. */
export const namesOf = (format: string): readonly string[] =>
  format
    .replace(/^%CI(?=%|$)/, '')
    .split('%')
    .filter((name) => name !== '');

/** Combines the values: altitude, and the cell or the signal alone. */
export function finish({ draft, signal, cell, lac, mcc, mnc, altitude }: PendingValues, mayBeZero: boolean): void {
  if (altitude !== undefined) draft.altitude = altitude;
  const rssi = signal === undefined ? undefined : 0 - Math.abs(signal);
  const isKnown = mcc !== undefined && mnc !== undefined && lac !== undefined && cell !== undefined;
  if (isKnown && (mayBeZero || cell !== 0)) {
    draft.addCell({ mcc, mnc, lac, cid: cell, ...(rssi === undefined ? {} : { rssi }) });
  } else if (rssi !== undefined) draft.attributes['rssi'] = rssi;
}

/** Models by the head of the protocol version: six characters of long versions, two of short ones. */
export const MODELS: ReadonlyMap<string, string> = new Map([
  ['02', 'GL200'],
  ['21', 'GL200'],
  ['04', 'GV200'],
  ['35', 'GV200'],
  ['06', 'GV300'],
  ['25', 'GV300'],
  ['08', 'GMT100'],
  ['3F', 'GMT100'],
  ['09', 'GV50P'],
  ['0F', 'GV55'],
  ['2F', 'GV55'],
  ['10', 'GV55 LITE'],
  ['11', 'GL500'],
  ['40', 'GL500'],
  ['1A', 'GL300'],
  ['30', 'GL300'],
  ['1F', 'GV500'],
  ['36', 'GV500'],
  ['27', 'GV300W'],
  ['28', 'GL300VC'],
  ['2C', 'GL300W'],
  ['2D', 'GV500VC'],
  ['31', 'GV65'],
  ['41', 'GV75W'],
  ['42', 'GT501'],
  ['44', 'GL530'],
  ['45', 'GB100'],
  ['4F', 'GV56'],
  ['50', 'GV55W'],
  ['52', 'GL50'],
  ['55', 'GL50B'],
  ['5E', 'GV500MAP'],
  ['6E', 'GV310LAU'],
  ['BD', 'CV200'],
  ['C2', 'GV600M'],
  ['C3', 'GL320M'],
  ['DC', 'GV600MG'],
  ['DE', 'GL500M'],
  ['DF', 'CV100LG'],
  ['F1', 'GV350M'],
  ['F8', 'GV800W'],
  ['FC', 'GV600W'],
  ['802004', 'GV58LAU'],
  ['802005', 'GV355CEU'],
  ['80201E', 'GV30CEU'],
]);

/** Alarms by message type. */
export const ALARMS: ReadonlyMap<string, string> = new Map([
  ['SOS', 'sos'],
  ['SPD', 'overspeed'],
  ['TOW', 'tow'],
  ['IDL', 'idle'],
  ['PNA', 'powerOn'],
  ['PFA', 'powerOff'],
  ['EPN', 'powerRestored'],
  ['MPN', 'powerRestored'],
  ['EPF', 'powerCut'],
  ['MPF', 'powerCut'],
  ['BPL', 'lowBattery'],
  ['STT', 'movement'],
  ['SWG', 'geofence'],
  ['TMP', 'temperature'],
  ['TEM', 'temperature'],
  ['JDR', 'jamming'],
  ['JDS', 'jamming'],
]);

/** Alarms of harsh driving (HBM), by the low digit of its report. */
export const HARSH: readonly (string | undefined)[] = [
  'hardBraking',
  'hardAcceleration',
  'hardCornering',
  'hardBraking',
  'hardAcceleration',
];

/** Device states of INF: ignition and motion, where they say either. */
export const STATES: ReadonlyMap<string, { readonly ignition?: boolean; readonly motion: boolean }> = new Map([
  ['11', { ignition: false, motion: false }],
  ['12', { ignition: false, motion: true }],
  ['16', { ignition: false, motion: true }],
  ['1A', { ignition: false, motion: true }],
  ['21', { ignition: true, motion: false }],
  ['22', { ignition: true, motion: true }],
  ['41', { motion: false }],
  ['42', { motion: true }],
]);

/** How a field of the CAN report is read; `skip` takes it and tells nothing. */
export type CanKind =
  | 'text'
  | 'number'
  | 'hex'
  | 'flag'
  | 'prefixed'
  | 'perHour'
  | 'hundreds'
  | 'hours'
  | 'volts'
  | 'skip';
export type CanField = readonly [bit: number, kind: CanKind, key: string];

/** Bits 0 to 21 of the report mask, in the order of their fields: 5 stands before 4. */
export const CAN_FIELDS: readonly CanField[] = [
  [0, 'text', 'vin'],
  [1, 'flag', 'ignition'],
  [2, 'prefixed', 'obdOdometer'],
  [3, 'number', 'fuelUsed'],
  [5, 'number', 'rpm'],
  [4, 'number', 'obdSpeed'],
  [6, 'number', 'coolantTemp'],
  [7, 'perHour', 'fuelConsumption'],
  [8, 'prefixed', 'fuel'],
  [9, 'hundreds', 'range'],
  [10, 'number', 'throttle'],
  [11, 'hours', 'hours'],
  [12, 'number', 'drivingTime'],
  [13, 'number', 'idleHours'],
  [14, 'number', 'idleFuelConsumption'],
  [15, 'number', 'axleWeight'],
  [16, 'hex', 'tachographInfo'],
  [17, 'hex', 'indicators'],
  [18, 'hex', 'lights'],
  [19, 'hex', 'doors'],
  [20, 'number', 'vehicleOverspeed'],
  [21, 'number', 'engineOverspeed'],
];

/** Bits of the expansion mask. Bit 31 announces one mask more. */
export const CAN_EXPANSION: readonly CanField[] = [
  [0, 'prefixed', 'adBlueLevel'],
  [1, 'number', 'axleWeight1'],
  [2, 'number', 'axleWeight3'],
  [3, 'number', 'axleWeight4'],
  ...skips(4, 6),
  [7, 'volts', 'adc1'],
  ...skips(8, 14),
  [15, 'text', 'driver1Card'],
  [16, 'text', 'driver2Card'],
  [17, 'text', 'driver1Name'],
  [18, 'text', 'driver2Name'],
  [19, 'text', 'registration'],
  ...skips(20, 30),
];

/** Fields of bits 22 on that some models send. */
export const CAN_MODEL_FIELDS: ReadonlyMap<string, readonly CanField[]> = new Map([
  ['GV350M', skips(22, 24)],
  ['GV355CEU', skips(22, 28)],
]);

/** Bits of the third mask. */
export const CAN_THIRD: readonly CanField[] = skips(0, 2);

function skips(from: number, to: number): CanField[] {
  return Array.from({ length: to - from + 1 }, (_, i) => [from + i, 'skip', ''] as const);
}

import type { ModelSet, Variant } from './variants.ts';

type Names = Readonly<Record<number, string>>;

/** Alarm codes of location, alarm and status messages; those above FF carry the language byte's high nibble. */
const ALARM_CODES: Names = {
  0x01: 'sos',
  0x02: 'powerCut',
  0x03: 'vibration',
  0x04: 'geofenceEnter',
  0x05: 'geofenceExit',
  0x06: 'overspeed',
  0x09: 'vibration',
  0x0c: 'tampering',
  0x0e: 'lowBattery',
  0x0f: 'lowBattery',
  0x11: 'powerOff',
  0x13: 'tampering',
  0x14: 'door',
  0x18: 'removing',
  0x19: 'lowBattery',
  0x1a: 'hardBraking',
  0x1b: 'hardCornering',
  0x23: 'fallDown',
  0x25: 'tampering',
  0x26: 'hardAcceleration',
  0x27: 'hardBraking',
  0x28: 'hardBraking',
  0x29: 'hardAcceleration',
  0x2a: 'hardCornering',
  0x2b: 'hardCornering',
  0x2c: 'accident',
  0x2e: 'hardCornering',
  0x30: 'jamming',
  0x32: 'tampering',
  0x33: 'lock',
  0x34: 'unlock',
  0x53: 'fuelLeak',
  0x5b: 'temperature',
  0x5c: 'temperature',
  0xc9: 'idle',
  0xf0: 'hardAcceleration',
  0xf1: 'hardBraking',
  0xf2: 'accident',
  0x0107: 'jamming',
  0x010b: 'jamming',
};

const VARIANT_ALARMS: Partial<Record<Variant, Names>> = {
  TRX16I: { 0x09: 'geofence', 0x0e: 'lowPower' },
};

const MODEL_ALARMS: Partial<Record<ModelSet, Names>> = {
  LW: { 0x18: 'accident', 0x19: 'hardAcceleration' },
  SW: { 0x28: 'hardCornering', 0x29: 'accident' },
  VL: { 0x09: 'tow', 0x28: 'powerOff', 0x30: 'hardBraking' },
};

export const alarmOfCode = (code: number, variant: Variant, models: ModelSet): string | undefined =>
  VARIANT_ALARMS[variant]?.[code] ?? MODEL_ALARMS[models]?.[code] ?? ALARM_CODES[code];

/** Bits 5 to 3 of the status byte. */
export const STATUS_ALARMS: readonly (string | undefined)[] = [
  undefined,
  'vibration',
  'powerCut',
  'lowBattery',
  'sos',
  'geofence',
  undefined,
  'removing',
];

/** Events of the cameras' alarm message (95). */
export const CAMERA_ALARMS: Names = {
  0x01: 'sos',
  0x0e: 'lowPower',
  0x76: 'temperature',
  0x80: 'vibration',
  0x87: 'overspeed',
  0x88: 'powerCut',
  0x90: 'hardAcceleration',
  0x91: 'hardBraking',
  0x92: 'hardCornering',
  0x93: 'accident',
};

/** Events of module 34 in the modular message (70). */
export const MODULE_ALARMS: Names = {
  0x10: 'door',
  0x12: 'removing',
  0x14: 'geofenceEnter',
  0x15: 'geofenceExit',
  0x16: 'temperature',
  0x1a: 'lowBattery',
  0x1b: 'overspeed',
  0x1c: 'powerOn',
  0x1d: 'powerOff',
  0x20: 'vibration',
  0x21: 'powerCut',
  0x23: 'tampering',
};

/** Alarm byte of AZ735 (33): an alarm, or whether the alarm system is armed. */
export const AZ735_ALARMS: Readonly<Record<number, { readonly armed?: boolean; readonly alarm?: string }>> = {
  0xa0: { armed: true },
  0xa1: { armed: false },
  0xa2: { alarm: 'lowBattery' },
  0xa3: { alarm: 'lowBattery' },
  0xa4: { alarm: 'general' },
  0xa5: { alarm: 'door' },
};

/** Parameters of the OBD text (8C): hexadecimal hundredths. */
export const OBD_PARAMETERS: Readonly<Record<string, string>> = {
  '28': 'odometer',
  '2B': 'fuel',
  '2D': 'coolantTemp',
  '35': 'obdSpeed',
  '36': 'rpm',
  '47': 'fuelUsed',
  '49': 'hours',
};
export const OBD_VIN = '4A';

/** Status words of the terminal information (94, 04): hexadecimal. */
export const STATUS_WORDS: Readonly<Record<string, string>> = {
  ALM1: 'alarm1Status',
  ALM2: 'alarm2Status',
  ALM3: 'alarm3Status',
  ALM4: 'alarm4Status',
  STA1: 'otherStatus',
  DYD: 'engineStatus',
};

/** What a message type of the general path holds. */
export interface Parts {
  readonly gps?: true;
  readonly cell?: true;
  readonly status?: true;
}

const GPS: Parts = { gps: true };
const CELL: Parts = { cell: true };
const STATUS: Parts = { status: true };

/** Location, alarm, status and cell messages, by type. */
export const GENERAL_TYPES: Readonly<Record<number, Parts>> = {
  0x10: GPS,
  0x11: { ...GPS, ...CELL },
  0x12: { ...GPS, ...CELL },
  0x13: STATUS,
  0x16: { ...GPS, ...CELL, ...STATUS },
  0x19: { ...CELL, ...STATUS },
  0x1a: GPS,
  0x1e: GPS,
  0x22: { ...GPS, ...CELL },
  0x25: { ...GPS, ...CELL },
  0x26: { ...GPS, ...CELL, ...STATUS },
  0x27: { ...GPS, ...CELL, ...STATUS },
  0x2d: { ...GPS, ...CELL },
  0x31: { ...GPS, ...CELL },
  0x32: { ...GPS, ...CELL, ...STATUS },
  0x36: STATUS,
  0x37: { ...GPS, ...CELL },
  0x39: { ...GPS, ...CELL, ...STATUS },
  0xa0: { ...GPS, ...CELL },
  0xa3: { ...GPS, ...CELL },
  0xa4: { ...GPS, ...CELL, ...STATUS },
  0xa5: { ...CELL, ...STATUS },
  0xa7: CELL,
};

/** The same, where a variant or a set of models differs. */
export const VARIANT_PARTS: readonly { readonly variant: Variant; readonly type: number; readonly parts: Parts }[] = [
  { variant: 'RFID', type: 0x17, parts: { ...GPS, ...CELL } },
  { variant: 'LW4G', type: 0xa2, parts: { ...GPS, ...CELL, ...STATUS } },
  { variant: 'SEEWORLD', type: 0xa3, parts: STATUS },
];
export const MODEL_PARTS: readonly { readonly models: ModelSet; readonly type: number; readonly parts: Parts }[] = [
  { models: 'NT', type: 0x22, parts: { ...GPS, ...CELL, ...STATUS } },
  { models: 'NT', type: 0x25, parts: { ...GPS, ...CELL, ...STATUS } },
];

/** How wide the fields of a serving cell are, by type. Absent: mnc by its flag, lac u16, cid u24. */
export interface CellShape {
  readonly mnc16?: true;
  /** lac u32 and cid u64, as in 4G */
  readonly wide?: true;
  readonly cid32?: true;
  /** begins with a byte that names the radio technology */
  readonly typed?: true;
  /** no length byte although the message has a status */
  readonly bare?: true;
}

export const CELL_SHAPES: Readonly<Record<number, CellShape>> = {
  0x11: { mnc16: true, cid32: true },
  0x19: { bare: true },
  0x25: { cid32: true },
  0x38: { typed: true },
  0x39: { typed: true, bare: true },
  0x61: { cid32: true },
  0xa0: { wide: true },
  0xa2: { wide: true, bare: true },
  0xa5: { wide: true, bare: true },
};

/** Messages with neighbour cells. */
export interface CellList {
  readonly count?: number;
  readonly entry: 'lac16cid24' | 'lac16cid32' | 'lac32cid64';
  readonly wifi?: true;
}

export const CELL_LISTS: Readonly<Record<number, CellList>> = {
  0x18: { entry: 'lac16cid24', wifi: true },
  0x24: { entry: 'lac16cid24' },
  0x28: { entry: 'lac16cid24' },
  0x2c: { entry: 'lac16cid24', wifi: true },
  0x2e: { entry: 'lac16cid24' },
  0x33: { entry: 'lac16cid32', count: 6, wifi: true },
  0x34: { entry: 'lac16cid32' },
  0xa1: { entry: 'lac32cid64' },
  0xa2: { entry: 'lac32cid64', wifi: true },
  0xa9: { entry: 'lac16cid24', wifi: true },
};

import type { ModelSet } from './variants.ts';

type Names = Readonly<Record<number, string>>;

/** Alarm codes of location, alarm and status messages; those above FF carry the language byte's high nibble. */
export const ALARM_CODES: Names = {
  0x01: 'sos',
  0x02: 'powerCut',
  0x03: 'vibration',
  0x04: 'geofenceEnter',
  0x05: 'geofenceExit',
  0x06: 'overspeed',
  0x09: 'movement',
  0x0c: 'powerOn',
  0x0e: 'lowPower',
  0x0f: 'lowPower',
  0x11: 'powerOff',
  0x13: 'tampering',
  0x14: 'door',
  0x15: 'powerOff',
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
  0x2d: 'accident',
  0x30: 'hardBraking',
  0x32: 'tampering',
  0x33: 'lock',
  0x34: 'unlock',
  0x3c: 'tow',
  0x4c: 'hardCornering',
  0x4d: 'laneChange',
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

/** TRX16I means others by these. */
export const TRX16I_ALARMS: Names = { 0x09: 'geofence', 0x0e: 'lowPower' };

/** The same, where a set of models differs. */
export const MODEL_ALARMS: Partial<Record<ModelSet, Names>> = {
  LW: { 0x18: 'accident', 0x19: 'hardAcceleration' },
  SW: { 0x28: 'hardCornering', 0x29: 'accident' },
  VL: { 0x09: 'tow', 0x28: 'powerOff' },
};

/** Bits 5 to 3 of the status byte. */
export const STATUS_ALARMS: Names = {
  1: 'vibration',
  2: 'powerCut',
  3: 'lowBattery',
  4: 'sos',
  6: 'geofence',
  7: 'removing',
};

/** Events of the cameras' alarm message (95). */
export const CAMERA_ALARMS: Names = {
  0x01: 'sos',
  0x0e: 'lowPower',
  0x47: 'fatigueDriving',
  0x51: 'door',
  0x53: 'fuelLeak',
  // the camera at the driver, and the SD card
  0x6b: 'fault',
  0x6f: 'fault',
  0x76: 'temperature',
  0x80: 'vibration',
  // the seat belt
  0x84: 'general',
  0x87: 'overspeed',
  0x88: 'powerCut',
  // eyes closed
  0x8c: 'fatigueDriving',
  // distraction
  0x8f: 'general',
  0x90: 'hardAcceleration',
  0x91: 'hardBraking',
  0x92: 'hardCornering',
  0x93: 'accident',
  // no face, telephone, smoking
  0x94: 'general',
  0x97: 'general',
  0x9a: 'general',
  // yawning
  0xa0: 'fatigueDriving',
  // the seat belt
  0xa7: 'general',
  // collision ahead
  0xcc: 'general',
  0xcd: 'laneChange',
  // distance to the vehicle ahead
  0xce: 'general',
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
export const AZ735_ALARMS: Names = { 0xa2: 'lowBattery', 0xa3: 'lowBattery', 0xa4: 'general', 0xa5: 'door' };
export const AZ735_ARMED: Readonly<Record<number, boolean>> = { 0xa0: true, 0xa1: false };

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

export const OBD_TEXTS: Readonly<Record<string, string>> = { '4A': 'vin' };

/** Status words of the terminal information (94, 04): hexadecimal. */
export const STATUS_WORDS: Readonly<Record<string, string>> = {
  ALM1: 'alarm1Status',
  ALM2: 'alarm2Status',
  ALM3: 'alarm3Status',
  ALM4: 'alarm4Status',
  STA1: 'otherStatus',
  DYD: 'engineStatus',
};

/** What is no number there. */
export const STATUS_TEXTS: Readonly<Record<string, string>> = { ICCID: 'iccid' };

type Names = Readonly<Record<number, string>>;

/**
 * Alarm codes of trackers on vehicles, as written in hex digits: 15 and 16 are ignition on and off, 25 to 28 inputs, which
 * are no alarms. Source: `Event` of the vendor's codec before 2023, and the command list of the family 2626 (November 2021).
 */
export const VEHICLE_ALARMS: Names = {
  0x01: 'powerCut',
  0x02: 'lowBattery',
  0x03: 'sos',
  0x04: 'overspeed',
  0x05: 'geofenceEnter',
  0x06: 'geofenceExit',
  0x07: 'tow',
  0x08: 'vibration',
  0x10: 'vibration', // while armed
  0x19: 'idle',
  0x21: 'jamming',
  0x23: 'powerRestored',
  0x24: 'lowPower',
};

/** The same of long messages (13, 14). Source: list of TLW2-12BL, as another server cites it. */
export const LONG_ALARMS: Names = {
  0x01: 'removing',
  0x03: 'sos',
  0x05: 'fallDown',
  0x06: 'lowBattery',
  0x08: 'temperature',
  0x09: 'vibration',
  0x10: 'accident',
  0x14: 'geofenceEnter',
  0x15: 'geofenceExit',
  0x18: 'idle',
  0x20: 'powerOn',
  0x29: 'powerOff',
  0x30: 'temperature',
  0x66: 'jamming',
  0x68: 'powerCut',
  0x69: 'powerRestored',
  0x70: 'overspeed',
  0x71: 'tow',
  0x74: 'vibration', // while armed
  0x75: 'lowPower',
};

/** Alarm codes of personal and asset trackers, as written in hex digits. Source: the vendor's lock application. */
export const ASSET_ALARMS: Names = {
  0x01: 'removing',
  0x02: 'tampering',
  0x03: 'sos',
  0x04: 'removing', // light at the front
  0x05: 'fallDown',
  0x06: 'lowBattery',
  0x08: 'temperature',
  0x09: 'vibration',
  0x10: 'accident',
  0x12: 'powerRestored',
  0x13: 'powerCut',
  0x14: 'geofenceEnter',
  0x15: 'geofenceExit',
  0x16: 'movement',
  0x18: 'idle',
  0x20: 'powerOn',
  0x29: 'powerOff',
  0x30: 'temperature',
  0x66: 'jamming',
  0x70: 'overspeed',
  0x72: 'tow',
};

/** Driver behaviour by satellites: even kinds brake, odd ones accelerate. */
export const DRIVING_ALARMS: Names = {
  0: 'hardBraking',
  1: 'hardAcceleration',
  2: 'hardBraking',
  3: 'hardAcceleration',
  4: 'hardBraking',
  5: 'hardAcceleration',
};

/** Driver behaviour by accelerometer. */
export const ACCELERATION_ALARMS: Names = { 0: 'hardBraking', 1: 'hardAcceleration', 2: 'hardCornering' };

/** Alarms of a button (Bluetooth). */
export const BUTTON_ALARMS: Names = { 0: 'sos', 1: 'lowBattery' };

/** One byte each of the vehicle's computer; FF is not available. */
export const VEHICLE_BYTES: readonly { readonly key: string; readonly offset: number }[] = [
  { key: 'airInput', offset: 0 },
  { key: 'airPressure', offset: 0 },
  { key: 'coolantTemp', offset: -40 },
  { key: 'airTemp', offset: -40 },
  { key: 'engineLoad', offset: 0 },
  { key: 'throttle', offset: 0 },
];

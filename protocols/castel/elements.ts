/** Alarm codes. Source: protocol document, alarm table. */
export const ALARMS: Readonly<Record<number, string>> = {
  0x01: 'overspeed',
  0x02: 'lowPower',
  0x03: 'temperature',
  0x04: 'hardAcceleration',
  0x05: 'hardBraking',
  0x06: 'idle',
  0x07: 'tow',
  0x08: 'highRpm',
  0x09: 'powerOn',
  0x0b: 'laneChange',
  0x0c: 'hardCornering',
  0x0d: 'fatigueDriving',
  0x0e: 'powerOff',
  0x0f: 'geofence',
  0x10: 'sos',
  0x11: 'accident',
  0x12: 'tampering',
  0x15: 'fault',
  0x18: 'fault',
  0x19: 'unlock',
  0x1c: 'vibration',
};

export const IGNITION_ON = 0x16;
export const IGNITION_OFF = 0x17;

const hexBytes = (text: string): readonly number[] => text.split(' ').map((pair) => Number.parseInt(pair, 16));

const PID_SIZES: readonly (readonly [size: number, pids: string])[] = [
  [1, '04 05 06 07 08 09 0b 0d 0e 0f 11 12 13 1c 1d 1e 2c 2d 2e 2f 30 33 43 45 46 47 48 49 4a 4b 4c 51 52 5a'],
  [2, '02 03 0a 0c 10 14 15 16 17 18 19 1a 1b 1f 21 22 23 31 32 3c 3d 3e 3f 42 44 4d 4e 50 53 54 55 56 57 58 59 9d'],
  [4, '00 01 20 24 25 26 27 28 29 2a 2b 34 35 36 37 38 39 3a 3b 40 41 4f 67 a6'],
];

/** Bytes of an OBD value, by the low byte of its id. */
export const PID_BYTES: ReadonlyMap<number, number> = new Map(
  PID_SIZES.flatMap(([size, pids]) => hexBytes(pids).map((pid): [number, number] => [pid, size])),
);

/** OBD value: mV at the control unit, which is the vehicle's supply (SAE J1979). */
export const MODULE_VOLTAGE = 0x42;

/** OBD values that have a name, in units of the vehicle: degrees, percent (SAE J1979, PID 2F is a level), 1/min, km/h. */
export const PID_KEYS: ReadonlyMap<number, string> = new Map([
  [0x04, 'engineLoad'],
  [0x05, 'coolantTemp'],
  [0x0b, 'mapIntake'],
  [0x0c, 'rpm'],
  [0x0d, 'obdSpeed'],
  [0x0f, 'intakeTemp'],
  [0x11, 'throttle'],
  [0x21, 'milDistance'],
  [0x2f, 'fuelLevel'],
  [0x31, 'clearedDistance'],
]);

/** Event → alarm. Source: protocol document, event codes. */
export const ALARMS: ReadonlyMap<number, string> = new Map([
  [1, 'sos'],
  [5, 'door'],
  [6, 'door'],
  [17, 'lowPower'],
  [18, 'powerCut'],
  [19, 'powerRestored'],
  [20, 'lowBattery'],
  [22, 'overspeed'],
  [26, 'geofenceEnter'],
  [35, 'tow'],
  [38, 'idle'],
  [39, 'hardAcceleration'],
  [40, 'hardBraking'],
  [41, 'hardCornering'],
  [48, 'fuelLeak'],
]);

/** Event that names a driver. */
export const DRIVER_EVENT = 53;

export interface Value {
  readonly key: string;
  readonly factor?: number;
  readonly offset?: number;
}

/** Values of the car's diagnosis, in their order. The fuel level follows. */
export const DIAGNOSIS: readonly Value[] = [
  { key: 'rpm' },
  { key: 'engineLoad' },
  { key: 'airFlow' },
  { key: 'airPressure' },
  { key: 'airTemp', offset: -40 },
  { key: 'throttle' },
  { key: 'coolantTemp', offset: -40 },
  { key: 'fuelConsumption', factor: 0.1 },
];

/** Values of the serial port's lines, by their place. */
export const LINES: ReadonlyMap<string, readonly (readonly [place: number, value: Value])[]> = new Map([
  [
    'T1',
    [
      [2, { key: 'rpm' }],
      [4, { key: 'fuel' }],
      [10, { key: 'coolantTemp' }],
      [12, { key: 'torque' }],
      [14, { key: 'power' }],
      [16, { key: 'oilTemp' }],
      [18, { key: 'throttle' }],
      [23, { key: 'oilPressure' }],
      [28, { key: 'catalystLevel' }],
    ],
  ],
  [
    'T2',
    [
      [1, { key: 'odometer', factor: 1000 }],
      [17, { key: 'hours' }],
      [19, { key: 'fuelConsumption' }],
      [21, { key: 'fuelUsed' }],
    ],
  ],
]);

/** Where T1 reports the ignition: 0 off, 1 on. */
export const IGNITION_PLACE = 26;

/** Alarm codes of the older formats. Source: protocol document, alarm type. */
export const OLDER_ALARMS: Readonly<Record<string, string>> = {
  '01': 'sos',
  '10': 'lowBattery',
  '11': 'overspeed',
  '30': 'parking',
  '42': 'geofenceExit',
  '43': 'geofenceEnter',
};

/** Alarm codes of the newest format. */
export const ALARMS: Readonly<Record<string, string>> = {
  '01': 'sos',
  '02': 'overspeed',
  '04': 'geofenceExit',
  '05': 'geofenceEnter',
  '06': 'tow',
  '07': 'gpsAntennaCut',
  '10': 'powerCut',
  '11': 'powerRestored',
  '12': 'lowPower',
  '13': 'lowBattery',
  '40': 'vibration',
  '41': 'idle',
  '42': 'hardAcceleration',
  '43': 'hardBraking',
};

/** Bits of the newest format's status that are alarms, in the order in which they are reported. */
export const STATUS_ALARMS: readonly (readonly [bit: number, alarm: string])[] = [
  [31, 'sos'],
  [29, 'overspeed'],
  [27, 'geofenceExit'],
  [26, 'geofenceEnter'],
  [25, 'gpsAntennaCut'],
];

export const STATUS_FLAGS: readonly (readonly [bit: number, key: string])[] = [
  [30, 'ignition'],
  [28, 'charge'],
  [23, 'out1'],
  [22, 'out2'],
  [21, 'out3'],
];

/** Lines of the older formats, by their bit. */
export const FIRST_LINES: readonly (readonly [bit: number, key: string])[] = [
  [4, 'in3'],
  [5, 'in4'],
  [6, 'in1'],
  [7, 'in2'],
  [8, 'out1'],
  [9, 'out2'],
];

export const SECOND_LINES: readonly (readonly [bit: number, key: string])[] = [
  [0, 'antenna'],
  [1, 'charge'],
  [2, 'in1'],
  [3, 'in2'],
  [4, 'in3'],
  [5, 'in4'],
  [6, 'in5'],
  [7, 'in6'],
  [8, 'out1'],
  [9, 'out2'],
  [10, 'out3'],
  [11, 'out4'],
];

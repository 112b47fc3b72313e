/** Alarm codes of the older formats. Source: TZ-AVL05 user guide 4.2.0 page 26, AVL02 user manual page 19. */
export const OLDER_ALARMS: Readonly<Record<string, string>> = {
  '01': 'sos',
  '09': 'powerOff',
  '10': 'lowBattery',
  '11': 'overspeed',
  '14': 'hardBraking',
  '15': 'hardAcceleration',
  '30': 'parking',
  '42': 'geofenceExit',
  '43': 'geofenceEnter',
  '60': 'powerRestored',
  '61': 'powerCut',
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

/** Lines of format 1, by their bit. Source: AVL02 user manual page 19, status, bytes 1 and 5 to 12. */
export const SOS_BUTTON = 11;
export const FIRST_LINES: readonly (readonly [bit: number, key: string])[] = [
  [10, 'in5'],
  [7, 'in1'],
  [6, 'in2'],
  [5, 'in3'],
  [4, 'in4'],
  [3, 'out1'],
  [2, 'out2'],
  [1, 'out3'],
  [0, 'out4'],
];

/** Lines of format 2, by their bit. */
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

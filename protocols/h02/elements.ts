/**
 * Alarms of the status word; a bit that is CLEAR raises its alarm, and of a word without any bit nothing is known.
 * Source: H02 protocol document, vehicle status table; three of them are compared in issue 2920 of traccar/traccar.
 */
export const ALARMS: readonly (readonly [mask: number, alarm: string])[] = [
  [0x0000_0001, 'vibration'],
  [0x0004_0002, 'sos'],
  [0x0000_0004, 'overspeed'],
  [0x0000_0010, 'geofenceEnter'],
  // open, and a short circuit
  [0x0000_0060, 'gpsAntennaCut'],
  [0x0000_0080, 'geofenceExit'],
  [0x0008_0000, 'powerCut'],
];

/** Set while the ignition is on. */
export const IGNITION = 0x0000_0400;

/** Battery code of the binary record → per cent; undefined if the code says nothing. */
export function batteryLevel(code: number): number | undefined {
  if (code === 0) return undefined;
  if (code <= 3) return (code - 1) * 10;
  if (code <= 6) return (code - 1) * 20;
  if (code <= 100) return code;
  return code >= 0xf1 && code <= 0xf6 ? code - 0xf0 : undefined;
}

/** Bytes of a binary record that carry meaning: to the end of the status word. */
export const RECORD_MEANING = 29;
/** Bytes of a record where nothing else is known. */
export const SHORT_RECORD = 32;
/** Bytes of the records of newer devices: 13 more. */
export const LONG_RECORD = 45;
/** A record of just this many bytes has an id of 8 bytes in place of 5. */
export const WIDE_ID_RECORD = 42;

export const KNOT_KMH = 1.852;

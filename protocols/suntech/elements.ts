/** Emergency id → alarm. Source: ST300 protocol document, EMG. */
export const EMERGENCIES: Readonly<Record<string, string>> = {
  1: 'sos',
  2: 'parking',
  3: 'powerCut',
  5: 'door',
  6: 'door',
  7: 'movement',
  8: 'vibration',
};

/**
 * Alert id → alarm; what only ends or informs has none. Source: ST300 and universal protocol documents, ALT.
 * 10 leaves deep sleep, 33 and 34 are the ignition, 44 and 45 the battery of the device.
 */
export const ALERTS: Readonly<Record<string, string>> = {
  1: 'overspeed',
  3: 'gpsAntennaCut',
  5: 'geofenceExit',
  6: 'geofenceEnter',
  8: 'gpsAntennaCut',
  13: 'fault',
  14: 'lowBattery',
  15: 'vibration',
  16: 'accident',
  23: 'overspeed',
  24: 'temperature',
  26: 'highRpm',
  27: 'hardBraking',
  40: 'powerRestored',
  41: 'powerCut',
  42: 'sos',
  46: 'hardAcceleration',
  47: 'hardBraking',
  48: 'hardCornering',
  49: 'overspeed',
  50: 'jamming',
  61: 'idle',
  64: 'highRpm',
  68: 'idle',
  73: 'fuelLeak',
  75: 'temperature',
  76: 'temperature',
  132: 'door',
};

/** Alert whose data is the id of a driver. */
export const DRIVER_ALERT = 59;

/** Inputs and outputs that have a name of their own. */
export const NAMED_LINES = 3;

/** Bits of the universal mask; a field is there only where its bit is set. */
export const BIT = {
  model: 1,
  version: 2,
  live: 3,
  date: 4,
  time: 5,
  cell: 6,
  mcc: 7,
  mnc: 8,
  lac: 9,
  rssi: 10,
  latitude: 11,
  longitude: 12,
  speed: 13,
  course: 14,
  satellites: 15,
  fix: 16,
  input: 17,
  output: 18,
  first: 19,
  second: 20,
  third: 21,
  reserved: 22,
  assigned: 23,
} as const;

export const DATE_AND_TIME = (1 << BIT.date) | (1 << BIT.time);

/** BLE reports carry no mask: model, version, date, time, latitude, longitude. */
export const BEACON_MASK =
  (1 << BIT.model) | (1 << BIT.version) | DATE_AND_TIME | (1 << BIT.latitude) | (1 << BIT.longitude);

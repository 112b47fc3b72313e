const DIGIT_ALARMS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  BO01: ['powerCut', 'accident', 'sos', 'vibration', 'lowspeed', 'overspeed', 'geofenceExit'],
  BQ81: ['lowBattery', 'overspeed', 'idle', 'hardAcceleration', 'hardBraking', 'temperature'],
};

const ALARMS: Readonly<Record<string, string>> = {
  ZC11: 'movement',
  DW31: 'movement',
  DW51: 'movement',
  ZC12: 'lowBattery',
  DW32: 'lowBattery',
  DW52: 'lowBattery',
  ZC13: 'powerCut',
  DW33: 'powerCut',
  DW53: 'powerCut',
  ZC17: 'removing',
  DW37: 'removing',
  DW57: 'removing',
  ZC25: 'sos',
  DW3E: 'sos',
  DW5E: 'sos',
  ZC26: 'tampering',
  DW3F: 'tampering',
  DW5F: 'tampering',
  ZC27: 'lowPower',
  DW40: 'lowPower',
  DW60: 'lowPower',
};

const ON = ['ZC15', 'DW35', 'DW55', 'ZC29', 'DW42', 'DW62'];
const OFF = ['ZC16', 'DW36', 'DW56'];

/** What the type of a sentence says beside its place. Source: protocol document, message types. */
export function alarmOf(type: string, data: string): string | undefined {
  return DIGIT_ALARMS[type]?.[Number(data === '' ? Number.NaN : data)] ?? ALARMS[type];
}

export const ignitionOf = (type: string): boolean | undefined =>
  ON.includes(type) ? true : OFF.includes(type) ? false : undefined;

/** Level of a battery by its step. */
export const BATTERY_LEVELS: Readonly<Record<string, number>> = { 6: 100, 5: 80, 4: 50, 3: 20, 2: 10 };

/** Bit of the status word → alarm. Source: protocol document, terminal status. */
export const ALARMS: readonly (readonly [bit: number, alarm: string])[] = [
  [0, 'lowBattery'],
  [1, 'geofenceExit'],
  [2, 'geofenceEnter'],
  [14, 'powerCut'],
  [16, 'sos'],
  [17, 'lowBattery'],
  [18, 'geofenceExit'],
  [19, 'geofenceEnter'],
  [20, 'removing'],
  [21, 'fallDown'],
  [22, 'fallDown'],
];

export const MOTION_BIT = 4;

/** Words that a watch repeats when it has taken the command, or answers it with. */
export const ANSWERS: ReadonlySet<string> = new Set(
  (
    'CR UPLOAD SOS1 SOS2 SOS3 SOSSMS LOWBAT REMOVE RESET POWEROFF SILENCETIME REMIND PHB FLOWER MESSAGE LZ ' +
    'VERNO TS MONITOR CENTER CALL IP FACTORY FIND'
  ).split(' '),
);

/** Keyword of a sentence → alarm. Source: GPS103 protocol document, alarm messages. */
export const ALARMS: ReadonlyMap<string, string> = new Map([
  ['help me', 'sos'],
  ['low battery', 'lowBattery'],
  ['stockade', 'geofence'],
  ['move', 'movement'],
  ['speed', 'overspeed'],
  ['door alarm', 'door'],
  ['ac alarm', 'powerCut'],
  ['accident alarm', 'accident'],
  ['sensor alarm', 'vibration'],
  ['bonnet alarm', 'bonnet'],
  ['footbrake alarm', 'footBrake'],
  ['DTC', 'fault'],
]);

/** The reports at intervals. */
export const PLAIN = 'tracker';

/** Keywords by which the device tells that it has taken a command: the command’s letter and `t` (`vt` tells of a photo). */
export const ANSWER = /^[a-uw-z]t$/;

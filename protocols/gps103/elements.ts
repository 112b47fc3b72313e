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

/** Keywords that confirm a command: the command’s letter and `t` (`vt` announces a photo). */
export const ANSWER = /^[a-uw-z]t$/;

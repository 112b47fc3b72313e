import type { Draft } from '#codec';

/** Bits of the alarm word that are an alarm. Source: protocol document, alarm code. */
const ALARMS: readonly (readonly [bit: number, alarm: string])[] = [
  [0, 'lowBattery'],
  [1, 'overspeed'],
  [2, 'fallDown'],
];
const LATER: readonly (readonly [bit: number, alarm: string])[] = [
  [8, 'powerOff'],
  [9, 'powerOn'],
  [10, 'movement'],
  [12, 'sos'],
];
/** Bits that are reported by a separate value. */
const FLAGS: readonly (readonly [bit: number, key: string])[] = [
  [13, 'button1'],
  [14, 'button2'],
  [31, 'bark'],
];
const FENCES = 4;
const FENCE_BIT = 4;
const INSIDE_BIT = 26;

const isSet = (word: number, bit: number): boolean => ((word >>> bit) & 1) !== 0;

export function setAlarms(word: number, draft: Draft): void {
  draft.attributes['event'] = word;
  for (const [bit, alarm] of ALARMS) if (isSet(word, bit)) draft.addAlarm(alarm);
  const fences: number[] = [];
  for (let fence = 0; fence < FENCES; fence++) {
    if (!isSet(word, FENCE_BIT + fence)) continue;
    draft.addAlarm(isSet(word, INSIDE_BIT + fence) ? 'geofenceEnter' : 'geofenceExit');
    fences.push(fence + 1);
  }
  // several are joined, as their alarms are
  if (fences.length > 0) draft.attributes['geofence'] = fences.length === 1 ? fences[0]! : fences.join(',');
  for (const [bit, alarm] of LATER) if (isSet(word, bit)) draft.addAlarm(alarm);
  for (const [bit, key] of FLAGS) if (isSet(word, bit)) draft.attributes[key] = true;
}

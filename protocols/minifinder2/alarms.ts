import type { Draft } from '#codec';

/** Bits of the alarm word that are an alarm: tilt has no name of its own. Source: the vendor's codec. */
const ALARMS: readonly (readonly [bit: number, alarm: string])[] = [
  [0, 'lowBattery'],
  [1, 'overspeed'],
  [2, 'fallDown'],
  [3, 'general'],
];
/** No motion, a timer of a lone worker that is begun, and a wearer who is asked and does not answer have no name of their own. */
const LATER: readonly (readonly [bit: number, alarm: string])[] = [
  [8, 'powerOff'],
  [9, 'powerOn'],
  [10, 'movement'],
  [11, 'general'],
  [12, 'sos'],
  [18, 'general'],
  [19, 'general'],
  [24, 'geofenceExit'],
  [25, 'geofenceEnter'],
];
/** The charger was connected, or removed. */
const CHARGED = 15;
const NOT_CHARGED = 16;
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
  if (isSet(word, CHARGED) !== isSet(word, NOT_CHARGED)) draft.attributes['charge'] = isSet(word, CHARGED);
  for (const [bit, key] of FLAGS) if (isSet(word, bit)) draft.attributes[key] = true;
}

/** Of the second alarm word only the first bit has a meaning: the device is worn no more. */
export function setFurtherAlarms(word: number, draft: Draft): void {
  if (isSet(word, 0)) draft.addAlarm('removing');
}

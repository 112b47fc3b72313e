import type { Attributes } from '#codec';

const ALARMS: ReadonlyMap<number, string> = new Map([
  [6002, 'overspeed'],
  [6006, 'hardAcceleration'],
  [6007, 'hardBraking'],
  [6008, 'lowPower'],
  [6009, 'powerCut'],
  [6010, 'powerRestored'],
  [6016, 'idle'],
  [6017, 'tow'],
  [6032, 'parking'],
  [6090, 'removing'],
  [6091, 'lowBattery'],
]);

const STATES: ReadonlyMap<number, readonly [key: string, value: boolean]> = new Map([
  [4001, ['ignition', true]],
  [4002, ['ignition', false]],
  [4003, ['ignition', true]],
  [4004, ['ignition', false]],
  [4005, ['charge', false]],
  [6011, ['ignition', true]],
  [6012, ['ignition', false]],
  [6013, ['ignition', true]],
  [6014, ['ignition', false]],
  [6030, ['motion', true]],
  [6031, ['motion', false]],
  [6071, ['motion', true]],
]);

/** Source: vendor’s list of events. */
export function setEvent(event: number, attributes: Attributes): void {
  attributes['event'] = event;
  const alarm = ALARMS.get(event);
  if (alarm !== undefined) attributes['alarm'] = alarm;
  const [key, value] = STATES.get(event) ?? [];
  if (key !== undefined && value !== undefined) attributes[key] = value;
}

export const MILE_M = 1609.34;
export const MILE_KMH = 0.868976 * 1.852;

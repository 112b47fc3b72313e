import { choiceMember, flagMember, jsonNumber, type MemberUse, numberMember, textMember } from '#codec/http';

const METERS_PER_KM = 1_000;
const MS = 1_000;

/** iOS gives a negative level where it knows none. */
const batteryMember: MemberUse = ({ attributes }, value) => {
  const level = jsonNumber(value);
  if (level !== undefined && level >= 0) attributes['batteryLevel'] = Math.trunc(level);
};

/** Members of the app, of Greenwich and of Queclink devices; those of the fix are read apart. */
export const MEMBERS: ReadonlyMap<string, MemberUse> = new Map([
  ['batt', batteryMember],
  // unplugged, charging, full; 0 is unknown
  ['bs', choiceMember('charge', { 1: false, 2: true, 3: true })],
  ['conn', textMember('connection')],
  ['desc', textMember('geofence')],
  ['event', textMember('event')],
  ['steps', numberMember('steps')],
  ['dist', numberMember('distance')],
  ['trip', numberMember('tripOdometer')],
  ['uext', numberMember('power')],
  ['ubatt', numberMember('battery')],
  ['vin', textMember('vin')],
  ['name', textMember('name')],
  ['rpm', numberMember('rpm', { whole: true })],
  ['flvl', numberMember('fuelLevel')],
  ['ign', flagMember('ignition')],
  ['motion', flagMember('motion')],
  ['din1', flagMember('in1')],
  ['din2', flagMember('in2')],
  ['dout1', flagMember('out1')],
  ['dout2', flagMember('out2')],
  ['odometer', numberMember('odometer', { times: METERS_PER_KM })],
  ['hmc', numberMember('hours', { times: MS })],
]);

export const TRIGGER_ALARMS: ReadonlyMap<string, string> = new Map([
  ['9', 'lowBattery'],
  ['1', 'powerOn'],
  ['E', 'powerRestored'],
  ['e', 'powerCut'],
  ['!', 'tow'],
  ['s', 'overspeed'],
]);

/** Record types (`rty`) of trigger `h`, harsh behavior. */
export const HARSH_ALARMS: ReadonlyMap<unknown, string> = new Map([
  [0, 'hardBraking'],
  [3, 'hardBraking'],
  [1, 'hardAcceleration'],
  [4, 'hardAcceleration'],
  [2, 'hardCornering'],
  [5, 'hardCornering'],
]);

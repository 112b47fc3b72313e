import { type Attributes, addAlarm } from '#codec';
import {
  bitField,
  capture,
  DEVICE_ID,
  grammar,
  oneOf,
  rmc,
  sequence,
  type TextRecord,
  textVariable,
  value,
} from '#codec/text';

const ALARMS: Readonly<Record<string, string>> = {
  SOS: 'sos',
  MOVE: 'movement',
  AGF: 'geofence',
  GFIN: 'geofenceEnter',
  GOUT: 'geofenceExit',
};

const LINES = bitField(
  16,
  { key: 'in1', bit: 0 },
  { key: 'in2', bit: 1 },
  { key: 'in3', bit: 2 },
  { key: 'in4', bit: 3 },
  { key: 'in5', bit: 4 },
  { key: 'ignition', bit: 5 },
  { key: 'out1', bit: 6 },
  { key: 'out2', bit: 7 },
  { key: 'charge', bit: 8 },
);
/** Ten bits of lines: larger numbers are the voltage of the battery. */
const WORD = /^,I?(0[0-3][0-9A-F]{2})(?:,|$)/;
const CHARGED = 0x200;
const PER_VOLT = 1000;
const NO_SIGNAL = '99';

/** `3912,79`, `3.793;56%`, `V3.872;67%`, `-4103mv` or `3782mV`. */
const VOLTS = /(?:^|[,V])(\d\.\d{1,3});(\d{1,3})%/;
const MILLIVOLTS = /^,{1,2}\s?([2-9]\d{3}),(\d{1,3})(?:,|$)/;
const VOLTAGE_ALONE = /(?:^|[,-])([2-9]\d{3})mv/i;
/** GSM, battery, sensitivity, dilution and cell of the OT-101. Source: OT-101 user's manual, appendix 1. */
const SIGNAL =
  /,M(\d{1,2}),[2-9]\d{3}mV,\d{1,3},(\d{1,2}\.\d{1,2})(?:,(\d{3}),(\d{1,3}),([0-9A-F]{4}),([0-9A-F]{4,8})(?=,|$)|,|$)/;
/** What the CT-58 sends before its event: the battery; the CT-58i: altitude and dilution. */
const BEFORE_EVENT = /^(?:[2-9]\d{3}mV|(\d{1,4}\.\d),(\d{1,2}\.\d{1,2})),(?=[A-Za-z@])/;

function setBattery(text: string, attributes: Attributes): void {
  const [, volts, percent] = VOLTS.exec(text) ?? [];
  const [, millivolts, level = percent] = MILLIVOLTS.exec(text) ?? VOLTAGE_ALONE.exec(text) ?? [];
  if (volts !== undefined) attributes['battery'] = Number(volts);
  else if (millivolts !== undefined) attributes['battery'] = Number(millivolts) / PER_VOLT;
  if (level !== undefined) attributes['batteryLevel'] = Number(level);
  if (/\(LP\)|BATTERY LOW/.test(text)) addAlarm(attributes, 'lowBattery');
}

function setSignal(text: string, { draft }: TextRecord): void {
  const [signal, strength, hdop, mcc, mnc, lac, cid] = SIGNAL.exec(text) ?? [];
  if (signal === undefined) return;
  setBattery(signal, draft.attributes);
  draft.attributes['hdop'] = Number(hdop);
  if (strength !== NO_SIGNAL) draft.attributes['rssi'] = Number(strength);
  if (mcc !== undefined)
    draft.addCell({ mcc: Number(mcc), mnc: Number(mnc), lac: Number(`0x${lac}`), cid: Number(`0x${cid}`) });
}

/** Event, then lines or the battery. Source: MU-201 S2 user manual, appendix 2. */
const STATE = value((text, record: TextRecord) => {
  const { attributes } = record.draft;
  const [before = '', altitude, dilution] = BEFORE_EVENT.exec(text) ?? [];
  if (altitude !== undefined) {
    record.draft.altitude = Number(altitude);
    attributes['hdop'] = Number(dilution);
  } else setBattery(before, attributes);
  const [, event = '', rest = ''] = /^([A-Za-z@ ]{0,24})(.*)$/s.exec(text.slice(before.length).trim()) ?? [];
  if (event.trim() !== '') attributes['event'] = event.trim();
  addAlarm(attributes, Object.hasOwn(ALARMS, event) ? ALARMS[event] : undefined);
  const word = WORD.exec(rest)?.[1];
  if (word === undefined) setBattery(rest, attributes);
  else {
    LINES.set(word, record);
    if ((Number.parseInt(word, 16) & CHARGED) === 0) addAlarm(attributes, 'lowBattery');
    setSignal(rest, record);
  }
  return true;
});

/** Without a place, if the receiver has not found one. */
const NO_FIX = sequence('\\d{0,6}(?:\\.\\d{0,3})?,V,,,,,[^,]{0,8},[^,]{0,8},\\d{0,6}');

export const REPORT = grammar(
  '(?:[iI][mM][eE][iI][:=])?',
  capture('\\d{10,17}', textVariable(DEVICE_ID)),
  '(?:&?[rR][mM][cC][:=] ?|,(?=\\$))\\$?G[PN]RMC,',
  oneOf(rmc, NO_FIX),
  ',[^*]{0,16}\\*[0-9A-Fa-f]{2},?',
  capture('.{0,800}', STATE),
  '$',
);

import { readValue, type Value } from '../values.ts';
import type { Item, ReadItem } from './item.ts';

/** Alarm codes of the JC cameras. */
const ALARMS: Readonly<Record<number, string>> = {
  0x0001: 'fault',
  0x0400: 'hardAcceleration',
  0x0412: 'hardAcceleration',
  0x0401: 'hardBraking',
  0x0413: 'hardBraking',
  0x0402: 'hardCornering',
  0x0414: 'hardCornering',
  0x0403: 'overspeed',
  0x0405: 'accident',
  0x0416: 'accident',
  0x0417: 'accident',
  0x0406: 'vibration',
  0x0407: 'tow',
  0x0408: 'geofenceEnter',
  0x0409: 'geofenceExit',
  0x040c: 'door',
  0x0415: 'laneChange',
  0x0c01: 'sos',
  0x0c02: 'lowPower',
  0x0c05: 'general',
  0x0c0e: 'powerCut',
  0x0c0f: 'lowBattery',
  0x0c10: 'powerOff',
  0x0c12: 'tampering',
};
const IGNITION_ON = 0x0c03;
const IGNITION_OFF = 0x0c04;

const STATES: Readonly<Record<number, Value>> = {
  0x0001: { key: 'battery', as: 'u16', divide: 100 },
  0x0002: { key: 'dataUsage', as: 'u32' },
  0x0003: { key: 'batteryLevel', as: 'u8' },
  0x0007: { key: 'hdop', as: 'u16', divide: 10 },
  0x2001: { key: 'power', as: 'u16', divide: 10 },
};
const CHARGER = 0x0004;
const ICCID = 0x0005;

/** E8 of the JC cameras: code, then what belongs to it. */
export const JIMI: ReadItem = (item) => {
  const { r, report } = item;
  const code = r.u16();
  if (code === 0x2002) readUpload(item);
  else if (code === 0x2003) readSupply(item);
  else if (code === 0x2005) readStates(item);
  else if (code === IGNITION_ON || code === IGNITION_OFF) report.attributes['ignition'] = code === IGNITION_ON;
  else {
    const alarm = ALARMS[code];
    if (alarm !== undefined) report.alarms.push(alarm);
  }
};

function readUpload({ r, report }: Item): void {
  r.skip(1);
  report.attributes['uploadMode'] = r.u8();
  report.attributes['buffered'] = r.u8() === 1;
}

function readSupply({ r, report }: Item): void {
  const { attributes } = report;
  r.skip(1);
  attributes['charge'] = r.u8() === 1;
  const sixths = r.u8();
  if (sixths >= 1 && sixths <= 6) attributes['batteryLevel'] = Math.trunc((sixths * 100) / 6);
  attributes['battery'] = r.u16() / 100;
  attributes['rssi'] = r.u8();
  attributes['power'] = r.u16() / 100;
}

function readStates({ r, report, end }: Item): void {
  r.skip(1);
  while (end - r.offset >= 3) {
    const id = r.u16();
    const next = r.u8() + r.offset;
    const state = STATES[id];
    if (state !== undefined) report.attributes[state.key] = readValue(r, state);
    else if (id === CHARGER) report.attributes['charge'] = r.u8() === 0;
    else if (id === ICCID) report.attributes['iccid'] = r.hex(10).slice(0, 19);
    r.offset = next;
  }
}

import type { Reader } from '#codec';
import { readValue, type Value } from '../values.ts';
import type { ReadItem } from './item.ts';
import { readObdText } from './obd.ts';

/** 02: tank; with bit 15 in whole units, else in tenths. */
export const FUEL: ReadItem = ({ r, report }) => {
  const raw = r.u16();
  report.attributes['fuel'] = (raw & 0x8000) !== 0 ? raw & 0x7fff : raw / 10;
};

/** 2B, A7: two analogue inputs. */
export const ANALOGUE: ReadItem = ({ r, report }) => {
  report.attributes['adc1'] = r.u16() / 100;
  report.attributes['adc2'] = r.u16() / 100;
};

const WAKE_UP = '*M00';

/** 33: mode in one byte, else text; its third field holds the battery in hundredths of a volt. */
export const MODE_OR_BATTERY: ReadItem = ({ r, report, length }) => {
  if (length === 1) {
    report.attributes['mode'] = r.u8();
    return;
  }
  const text = r.latin1(length);
  const hundredths = text.slice(10, 13);
  if (text.startsWith(WAKE_UP) && /^\d{3}$/.test(hundredths)) report.attributes['battery'] = Number(hundredths) / 100;
};

/** 51: temperatures, sign and magnitude in tenths. */
export const TEMPERATURES: ReadItem = ({ r, report, length }) => {
  if (length !== 2 && length !== 16) return;
  for (let n = 1; n <= length / 2; n++) {
    const raw = r.u16();
    if (raw === 0xffff) continue;
    const tenths = (raw & 0x8000) !== 0 ? 0 - (raw & 0x7fff) : raw;
    report.attributes[`temp${n}`] = tenths / 10;
  }
};

/** 77: tyres. */
export const TYRES: ReadItem = ({ r, report, length }) => {
  const { attributes } = report;
  for (let left = length; left >= 8; left -= 8) {
    const tyre = `tire${r.u8()}`;
    attributes[`${tyre}SensorId`] = r.hex(3);
    attributes[`${tyre}Pressure`] = (r.u16() & 0x3ff) / 40;
    attributes[`${tyre}Temp`] = r.u8() - 50;
    attributes[`${tyre}Status`] = r.u8();
  }
};

/** E3: battery in per cent and in volts. */
export const BATTERY: ReadItem = ({ r, report }) => {
  r.skip(1);
  report.attributes['batteryLevel'] = r.u8();
  report.attributes['battery'] = r.u16() / 100;
};

/** E4: charger and battery. */
export const CHARGE: ReadItem = ({ r, report }) => {
  report.attributes['charge'] = r.u8() === 0;
  report.attributes['batteryLevel'] = r.u8();
};

/** E5: motion. */
export const MOTION: ReadItem = ({ r, report, length }) => {
  if (length === 1) report.attributes['motion'] = r.u8() === 1;
};

/** Whole part with the sign, then 255ths. */
function readMixed(r: Reader): number {
  const whole = r.i8();
  const size = Math.abs(whole) + r.u8() / 255;
  return whole < 0 ? 0 - size : size;
}

const OBD_TEXT = '$OBD-RT';

/** E6: text of an engine reader, or Bluetooth thermometers of 11 bytes. */
export const OBD_OR_THERMOMETERS: ReadItem = ({ r, report, length }) => {
  const at = r.offset;
  if (length >= OBD_TEXT.length && r.latin1(OBD_TEXT.length) === OBD_TEXT) {
    readObdText(OBD_TEXT + r.latin1(length - OBD_TEXT.length), report);
    return;
  }
  r.offset = at;
  if (length % 11 !== 0) return;
  for (let left = length; left > 0; left -= 11) {
    const n = r.u8();
    r.skip(6);
    report.attributes[`temp${n}`] = readMixed(r);
    report.attributes[`humidity${n}`] = readMixed(r);
  }
};

const EXTERNAL: Readonly<Record<number, readonly Value[]>> = {
  0x11: [
    { key: 'externalAlarms', as: 'u16' },
    { key: 'alarmThresholdType', as: 'u8' },
  ],
  0x13: [{ key: 'externalIlluminance', as: 'u16' }],
  0x14: [{ key: 'externalAirPressure', as: 'u16' }],
  0x15: [{ key: 'externalHumidity', as: 'u16', divide: 10 }],
  0x16: [{ key: 'externalTemp', as: 'u16', divide: 10, add: -50 }],
};

/** EA: external sensors as type, length, value. */
export const EXTERNAL_SENSORS: ReadItem = ({ r, report, length, end }) => {
  if (length <= 2) return;
  r.skip(1);
  while (end - r.offset >= 2) {
    const values = EXTERNAL[r.u8()];
    const next = r.u8() + r.offset;
    for (const value of values ?? []) report.attributes[value.key] = readValue(r, value);
    r.offset = next;
  }
};

/** EE: radio, supply, battery and satellites. */
export const RADIO_AND_SUPPLY: ReadItem = ({ r, report, length }) => {
  if (length !== 6) return;
  report.attributes['rssi'] = r.u8();
  report.attributes['power'] = r.u16() / 1000;
  report.attributes['battery'] = r.u16() / 1000;
  report.attributes['sat'] = r.u8();
};

/** F5: light. */
export const ILLUMINANCE: ReadItem = ({ r, report, length }) => {
  if (length === 2) report.attributes['illuminance'] = r.u16();
};

const vector = (r: Reader): string => `[${r.i16()},${r.i16()},${r.i16()}]`;

/** F6 of AOVX, and of others where the length fits nothing else: event and the sensors of a mask. */
export const EVENT_MASK: ReadItem = ({ r, report }) => {
  const { attributes } = report;
  const event = r.u8();
  attributes['event'] = event;
  if (event === 2) attributes['motion'] = true;
  const mask = r.u8();
  if ((mask & 0x01) !== 0) attributes['lightSensor'] = r.u16();
  if ((mask & 0x02) !== 0) attributes['temp1'] = r.i16() / 10;
  if ((mask & 0x04) !== 0) attributes['humidity'] = r.i16() / 10;
  if ((mask & 0x08) !== 0) attributes['gSensor'] = vector(r);
  if ((mask & 0x10) !== 0) r.skip(10);
  if ((mask & 0x20) !== 0) attributes['airPressure'] = r.u16();
};

/** F6: by length. */
export const PRESSURE_IMEI_OR_EVENT: ReadItem = (item) => {
  const { r, report, length } = item;
  if (length === 2) report.attributes['airPressure'] = r.u16();
  else if (length === 8) report.attributes['imei'] = r.hex(8).slice(1);
  else EVENT_MASK(item);
};

/** F7: humidity, or battery. */
export const HUMIDITY_OR_BATTERY: ReadItem = ({ r, report, length }) => {
  const { attributes } = report;
  if (length === 2) {
    attributes['humidity'] = r.u16() / 10;
    return;
  }
  attributes['battery'] = r.u32() / 1000;
  if (length < 5) return;
  const charger = r.u8();
  if (charger === 2 || charger === 3) attributes['charge'] = true;
  if (length >= 6) attributes['batteryLevel'] = r.u8();
};

/** F8 of watches. */
export const STEPS: ReadItem = ({ r, report }) => {
  report.attributes['steps'] = r.u16();
};

/** F9: sensors of a mask. */
export const SENSOR_MASK: ReadItem = ({ r, report }) => {
  const mask = r.u16();
  if ((mask & 0x01) !== 0) r.skip(4);
  if ((mask & 0x02) !== 0) r.skip(4);
  if ((mask & 0x04) !== 0) report.attributes['hdop'] = r.u16() / 10;
  if ((mask & 0x08) !== 0) r.skip(6);
  if ((mask & 0x20) !== 0) r.skip(8);
  if ((mask & 0x40) === 0) return;
  report.attributes['temp3'] = r.i16() / 10;
};

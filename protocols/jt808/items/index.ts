import { Reader } from '#codec';
import type { Model } from '../models.ts';
import type { Report } from '../report.ts';
import { trimmed } from '../values.ts';
import { assistance, BATTERY_OR_MORE, BEHAVIOUR_ALARM, DRIVING, VIBRATION, VIBRATION_AND_SOS } from './driving.ts';
import { EXTENDED } from './groups.ts';
import { type Item, isTruncated, type ReadItem, text, value } from './item.ts';
import { EVENT, LOCK, LOCK_STATUS, LOCKS, LOCKS_OR_BATTERY, SEAL } from './locks.ts';
import { ACCESS_POINTS, BATTERY_OR_DRIVER, CELLS, POWER_OR_CELLS } from './network.ts';
import { ENGINE, EXTENSION_LIST, READING_LIST, VIN } from './obd.ts';
import {
  ANALOGUE,
  BATTERY,
  CHARGE,
  EXTERNAL_SENSORS,
  FUEL,
  HUMIDITY_OR_BATTERY,
  ILLUMINANCE,
  MODE_OR_BATTERY,
  MOTION,
  OBD_OR_THERMOMETERS,
  PRESSURE_IMEI_OR_EVENT,
  RADIO_AND_SUPPLY,
  SENSOR_MASK,
  TEMPERATURES,
  TYRES,
} from './sensors.ts';

/** Items of a location by id: the standard's up to 31, then what vendors made of the rest. */
export const ITEMS: Readonly<Record<number, ReadItem>> = {
  0x01: value({ key: 'odometer', as: 'u32', multiply: 100 }),
  0x02: FUEL,
  0x06: value({ key: 'batteryLevel', as: 'u8' }),
  0x0b: LOCK,
  0x14: value({ key: 'videoAlarm', as: 'u32' }),
  0x25: value({ key: 'input', as: 'u32' }),
  0x2b: ANALOGUE,
  0x30: value({ key: 'rssi', as: 'u8' }),
  0x31: value({ key: 'sat', as: 'u8' }),
  0x33: MODE_OR_BATTERY,
  0x51: TEMPERATURES,
  0x56: value({ key: 'batteryLevel', as: 'u8', multiply: 10 }),
  0x57: DRIVING,
  0x60: EVENT,
  0x63: LOCKS,
  0x64: assistance('adasAlarm'),
  0x65: assistance('dmsAlarm'),
  0x67: value8('password'),
  0x68: value({ key: 'batteryLevel', as: 'u16', divide: 100 }),
  0x69: value({ key: 'battery', as: 'u16', divide: 100 }),
  0x70: BEHAVIOUR_ALARM,
  0x77: TYRES,
  0x80: EXTENSION_LIST,
  0x82: value({ key: 'power', as: 'u16', divide: 10 }),
  0x91: ENGINE,
  0x94: VIN,
  0xa7: ANALOGUE,
  0xac: value({ key: 'odometer', as: 'u32' }),
  0xbc: text('driver', trimmed),
  0xbd: text('driverUniqueId'),
  0xd0: VIBRATION,
  0xd3: value({ key: 'power', as: 'u16', divide: 10 }),
  0xd4: BATTERY_OR_DRIVER,
  0xd5: LOCKS_OR_BATTERY,
  0xda: SEAL,
  0xe1: POWER_OR_CELLS,
  0xe2: value({ key: 'fuel', as: 'u32', divide: 10 }),
  0xe3: BATTERY,
  0xe4: CHARGE,
  0xe5: MOTION,
  0xe6: OBD_OR_THERMOMETERS,
  0xe7: VIBRATION_AND_SOS,
  0xe8: LOCK_STATUS,
  0xe9: BATTERY_OR_DRIVER,
  0xea: EXTERNAL_SENSORS,
  0xeb: EXTENDED,
  0xec: ACCESS_POINTS,
  0xed: text('card', trimmed),
  0xee: RADIO_AND_SUPPLY,
  0xf0: CELLS,
  0xf1: value({ key: 'power', as: 'u32', divide: 1000 }),
  0xf2: text('versionFw'),
  0xf3: READING_LIST,
  0xf4: ACCESS_POINTS,
  0xf5: ILLUMINANCE,
  0xf6: PRESSURE_IMEI_OR_EVENT,
  0xf7: HUMIDITY_OR_BATTERY,
  0xf8: value({ key: 'temp2', as: 'u16', divide: 10, add: -50 }),
  0xf9: SENSOR_MASK,
  0xfb: text('container'),
  0xfc: value({ key: 'geofence', as: 'u8' }),
  0xfe: BATTERY_OR_MORE,
};

/** Eight characters, whatever the length says. */
function value8(key: string): ReadItem {
  return ({ r, report }) => {
    report.attributes[key] = r.latin1(8);
  };
}

const TABLE: readonly (ReadItem | undefined)[] = Array.from({ length: 256 }, (_, id) => ITEMS[id]);

/** Tables of the models that read some items in their own way. */
const TABLES = new WeakMap<Model['items'], readonly (ReadItem | undefined)[]>();

function tableOf({ items }: Model): readonly (ReadItem | undefined)[] {
  const known = TABLES.get(items);
  if (known !== undefined) return known;
  const table = TABLE.map((read, id) => (id in items ? items[id] : read));
  TABLES.set(items, table);
  return table;
}

/**
 * Items while more than two bytes are left. One that is cut short loses only what it lacks. A reader that ends with
 * its frame has checksum and delimiter behind the items: they are read only by an item that is whole.
 */
export function readItems(r: Reader, report: Report, model: Model): void {
  const table = tableOf(model);
  const bodyEnd = r.end === r.bytes.length ? r.end - 2 : r.end;
  const item: Item = { r, report, id: 0, length: 0, end: 0 };
  while (r.remaining > 2) {
    item.id = r.u8();
    item.length = r.u8();
    item.end = r.offset + item.length;
    const read = table[item.id];
    if (read !== undefined) {
      if (item.end > bodyEnd) item.r = new Reader(r.bytes, r.offset, bodyEnd);
      try {
        read(item);
      } catch (error) {
        if (!isTruncated(error)) throw error;
      }
    }
    r.offset = item.end;
  }
}

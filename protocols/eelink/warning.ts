import type { Draft, Reader } from '#codec';
import { readNewStatus } from './status.ts';

/** Of warnings, old (04) and new (14). */
export const ALARMS: Readonly<Record<number, string>> = {
  0x01: 'powerCut',
  0x02: 'sos',
  0x03: 'lowBattery',
  0x04: 'vibration',
  0x05: 'movement',
  0x08: 'gpsAntennaCut',
  0x09: 'gpsAntennaCut',
  0x20: 'temperature',
  0x24: 'temperature',
  0x25: 'removing',
  0x26: 'movement',
  0x81: 'lowspeed',
  0x82: 'overspeed',
  0x83: 'geofenceEnter',
  0x84: 'geofenceExit',
  0x85: 'accident',
  0x86: 'fallDown',
};

type Read = (reader: Reader, draft: Draft) => void;

const SPEED = 0x82;

/** A value of a sensor; its limits follow, which are settings. */
const sensor =
  (key: string, divisor: number): Read =>
  (reader, { attributes }) => {
    attributes[key] = reader.i32() / divisor;
  };

/** In g. */
const acceleration: Read = (reader, { attributes }) => {
  for (const axis of ['X', 'Y', 'Z']) attributes[`acceleration${axis}`] = reader.i16() / 256;
};

/** The speed, and the lower limit and the upper one: the warning is of either. */
const speed: Read = (reader, draft) => {
  const now = reader.u16();
  draft.addAlarm(now < reader.u16() ? 'lowspeed' : 'overspeed');
};

const VALUES: Readonly<Record<number, { readonly bytes: number; readonly read: Read }>> = {
  0x03: {
    bytes: 4,
    read: (reader, { attributes }) => {
      attributes['power'] = reader.u16() / 1000;
      attributes['battery'] = reader.u16() / 1000;
    },
  },
  0x20: { bytes: 12, read: sensor('temp1', 256) },
  0x21: { bytes: 12, read: sensor('humidity', 10) },
  0x22: { bytes: 12, read: sensor('illuminance', 256) },
  0x23: { bytes: 12, read: sensor('co2', 1) },
  0x24: { bytes: 12, read: sensor('temp2', 16) },
  [SPEED]: { bytes: 6, read: speed },
  0x85: { bytes: 6, read: acceleration },
  0x86: { bytes: 6, read: acceleration },
  0x87: { bytes: 6, read: acceleration },
};

const STATUS_BYTES = 2;

/** A warning (14): its number, the status, and from newer devices the values that it is about. */
export function readWarning(reader: Reader, draft: Draft): void {
  const event = reader.u8();
  draft.attributes['event'] = event;
  const values = VALUES[event];
  const hasValues = values !== undefined && reader.remaining >= STATUS_BYTES + values.bytes;
  if (event !== SPEED || !hasValues) draft.addAlarm(ALARMS[event]);
  readNewStatus(reader.u16(), draft);
  if (hasValues) values.read(reader, draft);
}

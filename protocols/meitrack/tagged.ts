import { Draft, type Reader, readOptional, toHex } from '#codec';
import { ALARMS, type Element, FOUR_BYTES, ONE_BYTE, TWO_BYTES } from './elements.ts';
import { EPOCH, negative } from './records.ts';

/** The parts of a fix, gathered from parameters of several sizes. */
interface Parts {
  readonly draft: Draft;
  valid: boolean;
  speed?: number;
  course?: number;
  altitude?: number;
  latitude?: number;
  longitude?: number;
  time?: number;
}

/** CCE: cache that remains, count, records of parameters. What of a record cannot be read does not lose the others. */
export function readTaggedRecords(r: Reader): Draft[] {
  r.skip(4);
  const count = r.u16LE();
  const drafts: Draft[] = [];
  // length and number of a record
  while (drafts.length < count && r.remaining >= 4) {
    const record = r.slice(Math.min(r.u16LE(), r.remaining));
    drafts.push(readRecord(record));
  }
  return drafts;
}

function readRecord(r: Reader): Draft {
  const parts: Parts = { draft: new Draft(), valid: false };
  readOptional(() => {
    r.skip(2);
    for (let n = r.u8(); n > 0; n--) readByte(parts, readId(r), r.u8());
    for (let n = r.u8(); n > 0; n--) readWord(parts, readId(r), r);
    for (let n = r.u8(); n > 0; n--) readLong(parts, readId(r), r);
    for (let n = r.u8(); n > 0; n--) readVariable(parts.draft, readId(r), r.slice(r.u8()));
  });
  const { draft, time, latitude, longitude } = parts;
  if (time !== undefined) draft.deviceTime = time;
  if (time !== undefined && latitude !== undefined && longitude !== undefined) {
    draft.setFix(time, parts.valid, latitude, longitude);
    draft.setMovement(parts.altitude, parts.speed, parts.course);
  }
  return draft;
}

const WIDE = 0xfe;

function readId(r: Reader): number {
  const id = r.u8();
  return id === WIDE ? (id << 8) | r.u8() : id;
}

function set(draft: Draft, element: Element | undefined, value: number): void {
  if (element === undefined) return;
  draft.attributes[element.key] = value / (element.divisor ?? 1);
  if (element.key === 'event') draft.addAlarm(ALARMS.get(value));
}

const LOCKED = 2;

function readByte(parts: Parts, id: number, value: number): void {
  if (id === 0x05) parts.valid = value > 0;
  else if (id !== 0x47) set(parts.draft, ONE_BYTE.get(id), value);
  else if (value !== 0) parts.draft.attributes['lock'] = value === LOCKED;
}

function readWord(parts: Parts, id: number, r: Reader): void {
  if (id === 0x0b) parts.altitude = r.i16LE();
  else if (id === 0x08) parts.speed = r.u16LE();
  else if (id === 0x09) parts.course = r.u16LE() % 360;
  else set(parts.draft, TWO_BYTES.get(id), r.u16LE());
}

function readLong(parts: Parts, id: number, r: Reader): void {
  if (id === 0x02) parts.latitude = r.i32LE() / 1e6;
  else if (id === 0x03) parts.longitude = r.i32LE() / 1e6;
  else if (id === 0x04) parts.time = EPOCH + r.u32LE() * 1000;
  else if (id === 0x25) parts.draft.attributes['driverUniqueId'] = String(r.u32LE());
  else set(parts.draft, FOUR_BYTES.get(id), r.u32LE());
}

const mac = (bytes: Uint8Array): string => Array.from(bytes, (_, at) => toHex(bytes, at, at + 1)).join(':');

function readVariable(draft: Draft, id: number, r: Reader): void {
  if (CELL_IDS.has(id)) readCell(draft, r);
  else if (id >= 0x1d && id <= 0x25) draft.addAccessPoint(mac(r.view(6)), negative(r.i16LE()));
  else if (id >= 0x2a && id <= 0x31) {
    // a label first
    r.skip(1);
    draft.attributes[`temp${id - 0x2a}`] = r.i16LE() / 100;
  } else if (id === 0xfe31) readCameraAlarm(draft, r);
  else if (id === 0xfe73) readBeacon(draft, r);
  else if (id === 0xfea8) readBatteries(draft, r);
}

const CELL_IDS: ReadonlySet<number> = new Set([0x0e, 0x0f, 0x10, 0x12, 0x13]);

function readCell(draft: Draft, r: Reader): void {
  const mcc = r.u16LE();
  const mnc = r.u16LE();
  const lac = r.u16LE();
  const cid = r.u32LE();
  draft.addCell({ mcc, mnc, lac, cid, rssi: negative(r.i16LE()) });
}

const WITH_FILE = 2;

function readCameraAlarm(draft: Draft, r: Reader): void {
  const protocol = r.u8();
  draft.attributes['alarmType'] = r.u8();
  if (protocol !== WITH_FILE || r.remaining < 2) return;
  const name = r.latin1();
  const date = /^(\d{4})(\d\d)(\d\d)/.exec(name);
  draft.attributes['image'] = date === null ? name : `${date[1]}-${date[2]}-${date[3]}/${name}`;
}

function readBeacon({ attributes }: Draft, r: Reader): void {
  r.skip(1);
  attributes['tagName'] = r.latin1(r.u8());
  r.skip(6);
  attributes['tagBattery'] = r.u8();
  attributes['tagTemp'] = r.i16LE() / 256;
  attributes['tagHumidity'] = r.i16LE() / 256;
}

function readBatteries({ attributes }: Draft, r: Reader): void {
  for (const key of ['batteryLevel', 'battery2Level', 'battery3Level']) {
    const isThere = r.u8() > 0;
    const level = r.u8();
    if (isThere) attributes[key] = level;
  }
}

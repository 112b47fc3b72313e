import {
  addAlarmCode,
  batteryLevelOf,
  readCell,
  readDate,
  readGps,
  readRfid,
  readStatus,
  readText,
} from '../blocks.ts';
import { CELL_SHAPES, GENERAL_TYPES, MODEL_PARTS, type Parts, VARIANT_PARTS } from '../elements.ts';
import type { Packet } from '../packet.ts';

/** What the message holds, by type, variant and model; undefined where it is none of the general path. */
export function partsOf(packet: Packet): Parts | undefined {
  const { type, variant, models } = packet;
  if (variant !== 'none')
    for (const row of VARIANT_PARTS) if (row.variant === variant && row.type === type) return row.parts;
  if (models !== 'none')
    for (const row of MODEL_PARTS) if (row.models === models && row.type === type) return row.parts;
  return GENERAL_TYPES[type];
}

/** Location, alarm, status and cell messages: blocks by type, then what the type and the variant append. */
export function readGeneral(packet: Packet): void {
  const { reader, draft, type, variant, models } = packet;
  const parts = partsOf(packet)!;
  const isAssetTracker = models === 'NT' && (type === 0x22 || type === 0x25);
  if (type === 0x12 && models === 'QH302R') reader.skip(8);
  if (isAssetTracker) {
    reader.skip(9);
    draft.deviceTime = readDate(packet);
  }
  if (parts.gps) readGps(packet);
  if (parts.cell && reader.remaining > 0) {
    const isBare = CELL_SHAPES[type]?.bare === true || (type === 0x16 && variant === 'VXT01');
    readCell(packet, parts.status === true && !isBare);
  }
  if (parts.status) {
    if (type === 0xa2) reader.skip(1);
    readStatus(packet);
    (STATUS_DETAILS[variant] ?? readStatusDetails)(packet, isAssetTracker);
  }
  if (isAssetTracker) readAssetTail(packet);
  else TAILS[type]?.(packet);
  readCommonTail(packet);
  if (GEOFENCE_TYPES.has(type) && reader.remaining > 0) draft.attributes['geofence'] = reader.u8();
}

/** Types that may end with the number of a geofence. */
const GEOFENCE_TYPES = new Set([0x27, 0xa4]);

type Part = (packet: Packet, isAssetTracker: boolean) => void;

const STATUS_DETAILS: Partial<Record<Packet['variant'], Part>> = {
  OBD6: readObdStatus,
  SEEWORLD: (packet, isAssetTracker) =>
    packet.length === 0x18 ? readWatchStatus(packet) : readStatusDetails(packet, isAssetTracker),
};

/** OBD6 heartbeat: satellites, signal, alarm, battery, power, temperature. */
function readObdStatus(packet: Packet): void {
  const { reader, draft } = packet;
  const { attributes } = draft;
  const signals = reader.u16();
  attributes['sat'] = ((signals >> 10) & 0x1f) + ((signals >> 5) & 0x1f);
  attributes['rssi'] = signals & 0x1f;
  addAlarmCode(packet, reader.u8());
  reader.skip(1);
  attributes['batteryLevel'] = reader.u8();
  const mode = reader.u8();
  attributes['power'] = reader.u16() / 100;
  reader.skip(3);
  if (mode === 4) attributes['temp1'] = reader.i16() / 10;
}

/** SEEWORLD status of 24 bytes: signal, supply, steps, battery. */
function readWatchStatus(packet: Packet): void {
  const { reader, draft } = packet;
  const { attributes } = draft;
  reader.skip(3);
  attributes['rssi'] = reader.u8();
  attributes['power'] = reader.u8();
  reader.skip(3);
  attributes['steps'] = reader.u32();
  attributes['batteryLevel'] = reader.u8();
  attributes['charge'] = reader.u8() === 1;
  attributes['motion'] = reader.u8() === 1;
}

/** Types whose alarm code is continued in the high nibble of the language byte. */
const LONG_ALARM_TYPES = new Set([0x27, 0xa4, 0x39]);
/** Types with a language byte behind the alarm code. */
const LANGUAGE_TYPES = new Set([0x36, 0xa2, 0x27, 0xa4, 0x39]);

function readStatusDetails(packet: Packet, isAssetTracker: boolean): void {
  const { reader, draft, type, models, variant } = packet;
  const { attributes } = draft;
  if (type === 0xa2 || isAssetTracker) attributes['power'] = reader.u16() / 100;
  if (type === 0x13 && models === 'R11') attributes['power'] = reader.u16() / 100;
  else {
    const battery = reader.u8();
    const level = isAssetTracker ? undefined : batteryLevelOf(battery);
    if (isAssetTracker) attributes['battery'] = battery / 10;
    else if (level !== undefined) attributes['batteryLevel'] = level;
  }
  attributes['rssi'] = reader.u8();
  if (type === 0x13 && models === 'LW') attributes['power'] = (reader.u16() & 0x0fff) / 10;
  else {
    let code = reader.u8();
    if (LONG_ALARM_TYPES.has(type) && reader.remaining > 0) code |= (reader.peekU8() >> 4) << 8;
    if (type === 0x13 && models === 'SW') attributes['power'] = code;
    else if (variant !== 'VXT01') addAlarmCode(packet, code);
    if (variant === 'TRX16I') attributes['event'] = code;
  }
  if (LANGUAGE_TYPES.has(type) || isAssetTracker) reader.skip(1);
}

/** NT models: odometer, hours and, with a card, its reader's bytes. */
function readAssetTail({ reader, draft, type }: Packet): void {
  const { attributes } = draft;
  attributes['odometer'] = reader.u24();
  attributes['hours'] = reader.u24() * 60_000;
  if (type !== 0x25) return;
  const length = reader.u8();
  if (length === 0) return;
  reader.skip(1);
  attributes['driverUniqueId'] = reader.hex(length - 1);
}

/** The last bytes of any message, told by how many they are. */
function readCommonTail({ reader, draft }: Packet): void {
  const { attributes } = draft;
  if (reader.remaining === 3 || reader.remaining === 7) {
    attributes['ignition'] = reader.u8() > 0;
    reader.skip(1);
    if (reader.u8() > 0) attributes['archive'] = true;
  }
  if (reader.remaining === 4) attributes['odometer'] = reader.u32();
}

/** What a type has behind its blocks. */
const TAILS: Readonly<Record<number, (packet: Packet) => void>> = {
  0x12: (packet) => LOCATION_TAILS[packet.variant]?.(packet),
  0x16: (packet) => {
    if (packet.variant !== 'TRX16I') return;
    packet.reader.skip(1);
    readRfid(packet, 8);
  },
  0x17: (packet) => {
    packet.draft.attributes['driverUniqueId'] = packet.reader.hex(8);
    packet.reader.skip(1);
  },
  0x22: (packet) => (packet.variant === 'SEEWORLD' ? readSeeworldTail(packet) : readUpload(packet)),
  0x2d: readUpload,
  0x31: readUpload,
  0x32: ({ reader, draft, variant }) => {
    if (variant !== 'SL4X') return;
    reader.skip(1);
    if (reader.remaining >= 2) draft.altitude = reader.i16();
  },
  0x36: readModules,
  0x37: (packet) => {
    readUpload(packet);
    readModules(packet);
  },
  0x39: readModules,
  0xa2: ({ reader, draft }) => {
    draft.attributes['odometer'] = reader.u32();
    draft.attributes['hours'] = reader.u32() * 1000;
    reader.skip(8);
    draft.attributes['input'] = reader.u16();
  },
};

/** Ignition, why it was sent, whether from memory; SL4X: odometer and altitude too. NT models have none of it. */
function readUpload({ reader, draft, variant, models }: Packet): void {
  if (reader.remaining < 3 || models === 'NT') return;
  const { attributes } = draft;
  attributes['ignition'] = reader.u8() > 0;
  attributes['event'] = reader.u8();
  attributes['archive'] = reader.u8() > 0;
  if (variant !== 'SL4X') return;
  if (reader.remaining > 2) attributes['odometer'] = reader.u32();
  draft.altitude = reader.i16();
}

function readSeeworldTail({ reader, draft }: Packet): void {
  const { attributes } = draft;
  attributes['ignition'] = reader.u8() > 0;
  reader.skip(2);
  attributes['odometer'] = reader.u32();
  reader.skip(4);
  const temperature = reader.u16();
  attributes['temp1'] = (temperature & 0x8000 ? 0 - (temperature & 0x7fff) : temperature) / 100;
  attributes['humidity'] = reader.u16() / 100;
}

/** Location message (12) of the variants. */
const LOCATION_TAILS: Partial<Record<Packet['variant'], (packet: Packet) => void>> = {
  CARD: (packet) => {
    packet.draft.attributes['odometer'] = packet.reader.u32();
    readCard(packet);
    packet.reader.skip(2);
  },
  BENWAY: ({ reader, draft }) => {
    const inputs = reader.u16();
    const { attributes } = draft;
    attributes['ignition'] = (inputs & 0x8000) !== 0;
    attributes['in2'] = (inputs & 0x4000) !== 0;
    const value = inputs & 0x03ff;
    if (inputs & 0x1000) attributes['temp1'] = inputs & 0x0200 ? 0 - (value & 0x01ff) : value & 0x01ff;
    else attributes['adc1'] = inputs & 0x2000 ? value : value / 10;
  },
  VXT01: (packet) => {
    const { reader, draft } = packet;
    readStatus(packet);
    draft.attributes['power'] = reader.u16() / 100;
    draft.attributes['rssi'] = reader.u8();
    reader.skip(1);
  },
  S5: (packet) => {
    const { reader, draft } = packet;
    readStatus(packet);
    draft.attributes['power'] = reader.u16() / 100;
    draft.attributes['rssi'] = reader.u8();
    addAlarmCode(packet, reader.u8());
    draft.attributes['oil'] = reader.u16();
    const temperature = reader.u8();
    draft.attributes['temp1'] = temperature & 0x80 ? 0 - (temperature & 0x7f) : temperature;
    draft.attributes['odometer'] = reader.u32() * 10;
  },
  WETRUST: (packet) => {
    const { reader, draft } = packet;
    draft.attributes['odometer'] = reader.u32();
    readCard(packet);
    if (reader.u8() > 0) draft.addAlarm('general');
    draft.attributes['cardStatus'] = reader.u8();
    draft.attributes['drivingTime'] = reader.u16();
  },
};

function readCard({ reader, draft }: Packet): void {
  const card = readText(reader, reader.u8());
  if (card !== '') draft.attributes['card'] = card;
}

/** Modules behind 36, 37 and 39: u16 number, u8 length. */
function readModules(packet: Packet): void {
  const { reader, draft, type } = packet;
  while (reader.remaining > 0) {
    const module = reader.u16();
    const value = reader.slice(reader.u8());
    if (type === 0x37) {
      if (module === 0x27) draft.attributes['power'] = value.u16() / 100;
      else if (module === 0x2e) draft.attributes['odometer'] = value.u32();
      else if (module === 0x3b) draft.accuracy = value.u16() / 100;
    } else if (module === 0x18) draft.attributes['battery'] = value.u16() / 100;
    else if (module === 0x32) draft.attributes['startupStatus'] = value.u8();
    else if (module === 0x6a) draft.attributes['batteryLevel'] = value.u8();
  }
}

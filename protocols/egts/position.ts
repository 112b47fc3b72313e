import { type Draft, fixFlags, ninePlaces, type Reader } from '#codec';

/** 2010-01-01T00:00:00Z */
const EPOCH = 1_262_304_000;
/** Epoch ms of seconds since 2010. A device that has not had a fix has no time, and sends 0. */
export const timeOf = (seconds: number): number | undefined => (seconds === 0 ? undefined : (seconds + EPOCH) * 1000);

const FULL_SCALE = 0xffff_ffff;
const FLAGS = fixFlags({ valid: 0x01, south: 0x20, west: 0x40 });
/** BB */
const FROM_MEMORY = 0x08;
/** MV */
const MOVING = 0x10;
const HAS_ALTITUDE = 0x80;
/** ALTS, in the bits of the speed */
const BELOW_SEA_LEVEL = 0x4000;

/** SRC: what made the device send the record (order 285, table 3; GOST 33472, table Б.5). */
const ALARMS: Readonly<Record<number, string>> = {
  7: 'overspeed',
  9: 'fault',
  10: 'tampering',
  11: 'powerCut',
  12: 'lowBattery',
  13: 'sos',
  15: 'sos',
  19: 'fault',
  20: 'hardAcceleration',
  21: 'hardBraking',
  22: 'fault',
  23: 'fault',
  24: 'fault',
  25: 'gpsAntennaCut',
  27: 'lowspeed',
  28: 'movement',
};
const [WITH_IGNITION, WITHOUT_IGNITION, MOVED_WITHOUT_IGNITION] = [0, 5, 28];

function readSource(source: number, draft: Draft): void {
  draft.attributes['event'] = source;
  if (source === WITH_IGNITION) draft.attributes['ignition'] = true;
  if (source === WITHOUT_IGNITION || source === MOVED_WITHOUT_IGNITION) draft.attributes['ignition'] = false;
  draft.addAlarm(ALARMS[source]);
}

/** EGTS_SR_POS_DATA (16): the fix, valid where VLD says so; what else the record holds in any case. */
export function readPosition(reader: Reader, draft: Draft): void {
  const time = timeOf(reader.u32LE());
  const latitude = ninePlaces((reader.u32LE() / FULL_SCALE) * 90);
  const longitude = ninePlaces((reader.u32LE() / FULL_SCALE) * 180);
  const flags = reader.u8();
  const speed = reader.u16LE();
  const course = reader.u8() + (speed & 0x8000 ? 256 : 0);
  draft.deviceTime = time;
  const isValid = FLAGS.isValid(flags);
  // Without a fix a device repeats its last place, or has none and sends zeros.
  if (time !== undefined && (isValid || latitude !== 0 || longitude !== 0)) {
    draft.setFix(time, isValid, FLAGS.latitude(flags, latitude), FLAGS.longitude(flags, longitude));
    draft.setMovement(undefined, (speed & 0x3fff) / 10, course);
  }
  if (flags & FROM_MEMORY) draft.attributes['archive'] = true;
  draft.attributes['motion'] = (flags & MOVING) !== 0;
  draft.attributes['odometer'] = reader.u24LE() * 100;
  draft.attributes['input'] = reader.u8();
  readSource(reader.u8(), draft);
  if (flags & HAS_ALTITUDE && draft.hasFix) {
    // also of devices that write it as signed number
    const altitude = (reader.u24LE() << 8) >> 8;
    draft.altitude = speed & BELOW_SEA_LEVEL && altitude > 0 ? -altitude : altitude;
  }
}

/** EGTS_SR_EXT_POS_DATA (17): dilution in hundredths. */
export function readExtendedPosition(reader: Reader, { attributes }: Draft): void {
  const flags = reader.u8();
  if (flags & 0x01) attributes['vdop'] = reader.u16LE() / 100;
  if (flags & 0x02) attributes['hdop'] = reader.u16LE() / 100;
  if (flags & 0x04) attributes['pdop'] = reader.u16LE() / 100;
  if (flags & 0x08) attributes['sat'] = reader.u8();
}

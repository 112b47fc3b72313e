import { type Draft, type Reader, toHex } from '#codec';

/** 2010-01-01T00:00:00Z */
const EPOCH = 1_262_304_000;
const FULL_SCALE = 0xffff_ffff;
const VALID = 0x01;
const SOUTH = 0x20;
const WEST = 0x40;
const HAS_ALTITUDE = 0x80;

/** EGTS_SR_POS_DATA (16): the fix where it is a valid one. */
export function readPosition(reader: Reader, draft: Draft): void {
  const time = (reader.u32LE() + EPOCH) * 1000;
  const latitude = (reader.u32LE() / FULL_SCALE) * 90;
  const longitude = (reader.u32LE() / FULL_SCALE) * 180;
  const flags = reader.u8();
  const speed = reader.u16LE();
  const course = reader.u8() + (speed & 0x8000 ? 256 : 0);
  if (!(flags & VALID)) return;
  draft.setFix(time, true, flags & SOUTH ? -latitude : latitude, flags & WEST ? -longitude : longitude);
  draft.setMovement(undefined, (speed & 0x3fff) / 10, course);
  draft.attributes['odometer'] = reader.u24LE() * 100;
  draft.attributes['input'] = reader.u8();
  draft.attributes['event'] = reader.u8();
  if (flags & HAS_ALTITUDE) draft.altitude = (reader.u24LE() << 8) >> 8;
}

/** EGTS_SR_EXT_POS_DATA (17): dilution in the device's hundredths. */
export function readExtendedPosition(reader: Reader, { attributes }: Draft): void {
  const flags = reader.u8();
  if (flags & 0x01) attributes['vdop'] = reader.u16LE();
  if (flags & 0x02) attributes['hdop'] = reader.u16LE();
  if (flags & 0x04) attributes['pdop'] = reader.u16LE();
  if (flags & 0x08) attributes['sat'] = reader.u8();
}

const bitsIn = (mask: number): number => {
  let count = 0;
  for (let rest = mask; rest > 0; rest >>= 1) count += rest & 1;
  return count;
};

/** EGTS_SR_AD_SENSORS_DATA (18) */
export function readSensors(reader: Reader, { attributes }: Draft): void {
  const inputs = reader.u8();
  attributes['output'] = reader.u8();
  const analogue = reader.u8();
  reader.skip(bitsIn(inputs));
  for (let bit = 0; bit < 8; bit++) if (analogue & (1 << bit)) attributes[`adc${bit + 1}`] = reader.u24LE();
}

const RAW = 0x08;

/** EGTS_SR_LIQUID_LEVEL_SENSOR (27); of several the last one counts. */
export function readLiquid(reader: Reader, { attributes }: Draft): void {
  const flags = reader.u8();
  reader.skip(2);
  if (flags & RAW) attributes['liquidRaw'] = toHex(reader.view(reader.remaining));
  else attributes['liquid'] = reader.u32LE();
}

import { CodecError, Draft, ninePlaces, numberedKey, type Reader } from '#codec';
import { ASSET_ALARMS, LONG_ALARMS, VEHICLE_ALARMS, VEHICLE_BYTES } from './elements.ts';
import { ASSET, bcd16, isTime, OBD, type Packet } from './packet.ts';

const NOT_THERE_16 = 0xffff;
const NOT_THERE_32 = 0xffff_ffff;
const NOT_THERE_8 = 0xff;
const VALID = 0x40;
const STORED = 0x80;
/** of a temperature: sign and magnitude */
const SIGN = 0x80;
/** from USB, from the solar panel */
const CHARGES = 0x8000 | 0x0008;
const isBcd = (byte: number): boolean => byte <= 0x99 && (byte & 0x0f) <= 9;
const fromBcd = (byte: number): number => (byte >> 4) * 10 + (byte & 0x0f);
/** 0 of the two digits means full */
const percent = (digits: number): number => (digits === 0 ? 100 : Math.min(100, digits));

const ADC = numberedKey('adc#');

const LONG_TYPES: readonly number[] = [0x13, 0x14, 0x33, 0x34];
/** They have more inputs and a battery. */
const isLong = ({ type }: Packet): boolean => LONG_TYPES.includes(type);
/** They end in acceleration and rotation. */
const SENSOR_TYPES: readonly number[] = [0x16, 0x18];

function readVehicleStatus(packet: Packet, { attributes }: Draft): void {
  const { reader } = packet;
  reader.skip(3 + 1); // G-sensor, flags, heartbeat, relay
  reader.skip(2);
  const lines = reader.u16();
  attributes['ignition'] = (lines & 0x4000) !== 0;
  attributes['ac'] = (lines & 0x2000) !== 0;
  attributes['in3'] = (lines & 0x1000) !== 0;
  attributes['in4'] = (lines & 0x0800) !== 0;
  if (isLong(packet)) {
    attributes['output'] = reader.u8();
    reader.skip(1);
  } else attributes['out1'] = (lines & 0x0400) !== 0;
  if (packet.head === OBD) return;
  if (!isLong(packet)) {
    attributes['out2'] = (lines & 0x0200) !== 0;
    attributes['out3'] = (lines & 0x0100) !== 0;
  }
  const count = isLong(packet) ? 3 : 2;
  for (let n = 1; n <= count; n++) {
    const volts = decimalVolts(reader);
    if (volts !== undefined) attributes[ADC(n)] = volts;
  }
  // distance since the last report, or engine hours
  if (isLong(packet)) reader.skip(4);
}

/** Volts and hundredths, each in two decimal digits. */
function decimalVolts(reader: Reader): number | undefined {
  const at = reader.take(2);
  const whole = reader.bytes[at]!;
  const hundredths = reader.bytes[at + 1]!;
  return isBcd(whole) && isBcd(hundredths) ? (fromBcd(whole) * 100 + fromBcd(hundredths)) / 100 : undefined;
}

const LTE = 0x80;
/** the high byte of a country code */
const MAX_HIGH_BYTE = 3;

/**
 * Network instead of a fix: country and operator once, three cells. Newer devices write the high byte first, and have one
 * cell of LTE where its highest bit is set; of older ones the second byte is the high one.
 */
export function readCells(reader: Reader, draft: Draft): void {
  const isNewer = (reader.peekU8() & ~LTE) <= MAX_HIGH_BYTE && reader.peekU8(1) > MAX_HIGH_BYTE;
  const next = (): number => (isNewer ? reader.u16() : reader.u16LE());
  const isLte = isNewer && (reader.peekU8() & LTE) !== 0;
  const code = next();
  const mnc = next();
  if (isLte) {
    const cid = reader.u32();
    draft.addCell({ mcc: code & 0x7fff, mnc, lac: reader.u16(), cid });
    reader.skip(6);
    return;
  }
  for (let n = 0; n < 3; n++) {
    const lac = next();
    const cid = next();
    if (code !== 0 && code !== NOT_THERE_16 && mnc !== NOT_THERE_16) draft.addCell({ mcc: code, mnc, lac, cid });
  }
}

function readFix(packet: Packet, draft: Draft, isValid: boolean): void {
  const { reader, head } = packet;
  const time = reader.bcdDate6();
  if (!isValid) {
    if (isTime(time)) draft.deviceTime = time;
    readCells(reader, draft);
    return;
  }
  const altitude = reader.f32LE();
  const longitude = ninePlaces(reader.exactF32LE());
  draft.setFix(time, true, ninePlaces(reader.exactF32LE()), longitude);
  const speed = bcd16(reader) / 10;
  draft.setMovement(altitude, head === OBD ? undefined : speed, reader.u16());
}

/** What the vehicle's computer says: 19 bytes. */
const VEHICLE_BLOCK = 19;
/** of the remaining fuel, which is a percentage without it */
const LITERS = 0x80;

function readVehicleBlock(reader: Reader, draft: Draft): void {
  const { attributes } = draft;
  draft.speed = bcd16(reader) / 10;
  const used = reader.u32();
  if (used !== NOT_THERE_32) attributes['fuelUsed'] = used / 1000;
  const consumption = reader.u32();
  if (consumption !== NOT_THERE_32) attributes['fuelConsumption'] = consumption / 1000;
  const rpm = reader.u16();
  if (rpm !== NOT_THERE_16) attributes['rpm'] = rpm;
  for (const { key, offset } of VEHICLE_BYTES) {
    const value = reader.u8();
    if (value !== NOT_THERE_8) attributes[key] = value + offset;
  }
  const fuel = reader.u8();
  if (fuel !== NOT_THERE_8) attributes[fuel & LITERS ? 'fuel' : 'fuelLevel'] = fuel & ~LITERS;
}

const WITH_BATTERY = 'TLW2-2BL';

function readVehicleTail(packet: Packet, draft: Draft): void {
  const { reader } = packet;
  if (isLong(packet) || packet.model === WITH_BATTERY) draft.attributes['battery'] = bcd16(reader) / 100;
  if (reader.remaining >= 2) draft.attributes['power'] = bcd16(reader) / 100;
  if (packet.head === OBD && reader.remaining >= VEHICLE_BLOCK) readVehicleBlock(reader, draft);
  if (isLong(packet) && reader.remaining >= LONG_TAIL) readLongTail(reader, draft);
  if (SENSOR_TYPES.includes(packet.type) && reader.remaining >= AXES_BYTES)
    draft.attributes['gSensor'] = `[${reader.i16()},${reader.i16()},${reader.i16()}]`;
}

/** acceleration, rotation: three axes each */
const AXES_BYTES = 12;

/** rpm, three bytes of settings, temperature of the device */
const LONG_TAIL = 6;
const NO_RPM = 0x8000;

function readLongTail(reader: Reader, { attributes }: Draft): void {
  const rpm = reader.u16();
  if (rpm !== NOT_THERE_16 && rpm !== NO_RPM) attributes['rpm'] = rpm;
  reader.skip(3);
  const temperature = reader.u8();
  if (temperature !== NOT_THERE_8) attributes['deviceTemp'] = signed(temperature);
}

const signed = (temperature: number): number => (temperature & SIGN ? -(temperature & ~SIGN) : temperature);

const axis = (whole: number, tenths: number, isPositive: boolean): string =>
  `${isPositive ? '' : '-'}${whole}.${tenths % 10}`;

/** 40 bits; of X the tenths stand above the whole number. */
function readAcceleration(reader: Reader): string {
  const high = reader.u8();
  const low = reader.u32();
  const x = axis((low >>> 28) & 0x0f, high & 0x7f, (high & 0x80) !== 0);
  const y = axis((low >> 20) & 0x7f, (low >> 16) & 0x0f, (low & 0x0800_0000) !== 0);
  const z = axis((low >> 8) & 0x7f, (low >> 4) & 0x0f, (low & 0x8000) !== 0);
  return `[${x},${y},${z}]`;
}

function readAssetTail({ reader }: Packet, { attributes }: Draft): void {
  attributes['gSensor'] = readAcceleration(reader);
  const level = reader.u8();
  if (level !== NOT_THERE_8) attributes['batteryLevel'] = percent(fromBcd(level));
  const temperature = reader.u8();
  if (temperature !== NOT_THERE_8) attributes['deviceTemp'] = signed(temperature);
  for (const key of ['lightSensor', 'battery', 'solarPanel']) {
    const tenths = reader.u8();
    if (tenths !== NOT_THERE_8) attributes[key] = fromBcd(tenths) / 10;
  }
  attributes['odometer'] = reader.u32();
  const input = reader.u16();
  attributes['input'] = input;
  attributes['ignition'] = (input & 0x04) !== 0;
  attributes['charge'] = (input & CHARGES) !== 0;
  attributes['rssi'] = (input >> 4) & 0x7f;
}

function alarmsOf(packet: Packet): Readonly<Record<number, string>> {
  if (packet.head === ASSET) return ASSET_ALARMS;
  return isLong(packet) ? LONG_ALARMS : VEHICLE_ALARMS;
}

function read(packet: Packet, draft: Draft): void {
  const { reader, head } = packet;
  const { attributes } = draft;
  const isVehicle = head !== ASSET;
  if (isVehicle) {
    reader.skip(2 + 2 + 1 + 2);
    attributes['rssi'] = reader.u16() & 0x7f;
  }
  const flags = reader.u8();
  attributes['sat'] = flags & 0x1f;
  if (flags & STORED) attributes['archive'] = true;
  if (isVehicle) readVehicleStatus(packet, draft);
  const code = reader.u8();
  attributes['alarmCode'] = code;
  draft.addAlarm(alarmsOf(packet)[code]);
  if (isVehicle) {
    reader.skip(1);
    attributes['odometer'] = reader.u32();
    attributes['batteryLevel'] = percent(reader.bcd());
  }
  readFix(packet, draft, (flags & VALID) !== 0);
  if (isVehicle) readVehicleTail(packet, draft);
  else readAssetTail(packet, draft);
}

/** Location and alarm (02, 04, 13, 14; with sensors 16, 18, 33, 34). What is cut off behind the alarm code keeps what was read. */
export function readLocation(packet: Packet): Draft {
  const draft = new Draft({ index: packet.serial });
  try {
    read(packet, draft);
  } catch (error) {
    if (!(error instanceof CodecError) || draft.attributes['alarmCode'] === undefined) throw error;
  }
  return draft;
}

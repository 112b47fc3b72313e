import { ninePlaces, setIfPresent, toLatin1 } from '#codec';
import { type Field, readerOf } from '#codec/binary';
import type { Report } from '../report.ts';

/** Signed whole part, then 255ths of its size. */
const mixed =
  (key: string): Field =>
  ({ reader, into, number }) => {
    const whole = reader.i8();
    const size = ninePlaces(Math.abs(whole) + reader.u8() / 255);
    into.attributes[`${key}${number}`] = whole < 0 ? 0 - size : size;
  };

export const temperature = mixed('temp');
export const humidity = mixed('humidity');

/** The alarm of the battery stands for all that have been read. */
export const batteryAlarm: Field = ({ reader, into: { attributes } }) => {
  const level = reader.u8();
  attributes['batteryAlarm'] = level;
  if (level === 3 || level === 4) attributes['alarm'] = 'lowBattery';
};

/** Trouble codes by system. */
export const troubleCodes: Field = ({ reader, into }) => {
  const codes: string[] = [];
  for (let systems = reader.u16(); systems > 0; systems--) {
    reader.skip(4);
    for (let count = reader.u16(); count > 0; count--) {
      reader.skip(8);
      codes.push(reader.latin1(reader.u16()).replaceAll('\0', '').trim());
    }
  }
  into.attributes['dtcs'] = codes.join(' ');
};

/** Three numbers, negative above 8000: unlike a two's complement at 8000 itself. */
export const tilt: Field = ({ reader, into }) => {
  const axes = [reader.u16(), reader.u16(), reader.u16()].map((raw) => (raw > 0x8000 ? raw - 0x1_0000 : raw));
  into.attributes['tilt'] = `[${axes.join(',')}]`;
};

/** Text of a driver's card reader or of anything else, to the frame's last byte: checksum and delimiter count too. */
export const peripheralText: Field<Report> = ({ reader, into }) => {
  const text = toLatin1(reader.bytes, reader.offset).replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
  if (text === '') into.isDropped = true;
  else if (!text.startsWith('GTSL')) into.attributes['data'] = text;
  else setIfPresent(into.attributes, 'driverUniqueId', text.split('|', 5)[4]);
};

/** Acceleration: a time and three axes each. */
export const acceleration: Field = ({ reader, into, end }) => {
  const read = readerOf('m16');
  const vectors: string[] = [];
  while (end - reader.offset >= 12) {
    reader.skip(6);
    vectors.push(`[${read(reader)},${read(reader)},${read(reader)}]`);
  }
  into.attributes['gSensor'] = `[${vectors.join(',')}]`;
};

/** Nothing that a position could hold. */
export const dropped: Field<Report> = ({ into }) => {
  into.isDropped = true;
};

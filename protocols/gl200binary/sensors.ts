import { type Attributes, CodecError, type Reader } from '#codec';

/** Bit of the mask of sensors: a bus with sensors of temperature. */
const BUS = 1;
const TEMPERATURE = 1;
const SENSOR_BYTES = 10;

/** Identity, kind, length, value; temperatures are sixteenths of a degree. */
function readSensor(reader: Reader, attributes: Attributes, number: number): void {
  reader.skip(SENSOR_BYTES - 2);
  const kind = reader.u8();
  const value = reader.slice(reader.u8());
  if (kind === TEMPERATURE && value.remaining === 2) attributes[`temp${number}`] = value.i16() / 16;
}

/** Sensors of GTERI (18) as a GV600 sends them. Source: frames of the field. */
export function readSensors(reader: Reader, sensors: number, attributes: Attributes): void {
  if ((sensors & (1 << BUS)) === 0) return;
  const count = reader.u8();
  if (count * SENSOR_BYTES > reader.remaining) throw new CodecError('truncated', `${count} sensors`, reader.offset);
  for (let number = 1; number <= count; number++) readSensor(reader, attributes, number);
}

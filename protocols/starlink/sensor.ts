import { type Attributes, fromZigzag, Reader, readOptional, readVarint, skipProtobuf, WIRE } from '#codec';
import { type Value, value } from '#codec/text';

const BASE64 = /^[A-Za-z0-9+/]{2,400}={0,2}$/;
const [NUMBER, ID, TEMPERATURE, HUMIDITY, VOLTAGE] = [1, 3, 4, 5, 9];

/** A wireless sensor: protobuf in Base64. Source: vendor’s document of the tags TD1 and TD2. */
export const sensor: Value = value((text, { draft }) => {
  if (!BASE64.test(text)) return false;
  readOptional(() => readSensor(text, draft.attributes));
  return true;
});

function readSensor(text: string, attributes: Attributes): void {
  const numbers = new Map<number, number>();
  const reader = new Reader(Uint8Array.from(Buffer.from(text, 'base64')));
  let id = '';
  while (reader.remaining > 0) {
    const tag = readVarint(reader);
    if ((tag & 7) === WIRE.varint) numbers.set(tag >>> 3, readVarint(reader));
    else if (tag >>> 3 === ID && (tag & 7) === WIRE.bytes) id = reader.utf8(readVarint(reader));
    else skipProtobuf(reader, tag & 7);
  }
  const name = `sensor${numbers.get(NUMBER) ?? 0}`;
  attributes[`${name}Id`] = id;
  attributes[`${name}Temp`] = fromZigzag(numbers.get(TEMPERATURE) ?? 0) / 10;
  attributes[`${name}Humidity`] = (numbers.get(HUMIDITY) ?? 0) / 10;
  attributes[`${name}Voltage`] = (numbers.get(VOLTAGE) ?? 0) / 1000;
}

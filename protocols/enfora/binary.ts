import { CodecError, Draft, degreesFromDdmm, exactUtcFromParts, KNOT_KMH, Reader } from '#codec';

const ID_BYTES = 22;
const VALID = 1;
/** Bytes of an event of every field, and of one without speed or course, without both, and with odometer and clock. */
const [WHOLE, WITHOUT_ONE, WITHOUT_BOTH] = [55, 53, 51] as const;
const WITHOUT_ODOMETER: readonly number[] = [WHOLE, WITHOUT_ONE, WITHOUT_BOTH];
const ODOMETER_BYTES: readonly number[] = [4, 10, 11];

/** Pairs of digits of a number: day, month and year, or hour, minute and second. */
const pairs = (number: number): [number, number, number] => [
  Math.trunc(number / 1e4),
  Math.trunc(number / 100) % 100,
  number % 100,
];

const i24 = (reader: Reader): number => (reader.u24() << 8) >> 8;

/**
 * An event in binary has the fields of the mask of AT$EVENT, which it does not carry: what it has is known by its size.
 * Two bytes that are missing are those of the speed or of the course: neither is read then.
 */
export function readBinaryEvent(bytes: Uint8Array): Draft {
  const odometer = ODOMETER_BYTES.find((size) => bytes.length === WHOLE + size);
  if (odometer === undefined && !WITHOUT_ODOMETER.includes(bytes.length))
    throw new CodecError('unknown-type', `an event of ${bytes.length} bytes`);
  const reader = new Reader(bytes);
  const draft = new Draft({ status: reader.u32() });
  reader.skip(ID_BYTES);
  draft.attributes['io1'] = reader.u16();
  draft.attributes['adc1'] = reader.u16();
  draft.attributes['adc2'] = reader.u16();
  draft.attributes['event'] = reader.u8();
  const [day, month, year] = pairs(reader.u24());
  const isValid = reader.u8() === VALID;
  const [latitude, longitude] = [degreesFromDdmm(i24(reader) / 1000), degreesFromDdmm(reader.i32() / 1000)];
  const hasMovement = bytes.length >= WHOLE;
  const speed = hasMovement ? (reader.u16() / 10) * KNOT_KMH : undefined;
  const course = hasMovement ? reader.u16() / 10 : undefined;
  if (bytes.length === WITHOUT_ONE) reader.skip(2);
  const [hour, minute, second] = pairs(reader.u24());
  // fields of another mask are no date
  const time = exactUtcFromParts(year, month, day, hour, minute, second);
  if (isValid || latitude !== 0 || longitude !== 0) draft.setFix(time, isValid, latitude, longitude);
  else draft.deviceTime = time;
  draft.setMovement(i24(reader), speed, course);
  draft.attributes['sat'] = reader.u8();
  if (odometer !== undefined) draft.attributes['odometer'] = reader.u32();
  return draft;
}

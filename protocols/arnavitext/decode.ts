import {
  type Attributes,
  CodecError,
  type DecodeContext,
  type Decoded,
  degreesFromDdmm,
  KNOT_KMH,
  type Message,
  positionOf,
  toLatin1,
  withHemisphere,
} from '#codec';
import { isDigits, parseDecimal, utcFromDdmmyyHhmmss } from '#codec/text';

const FIX = /^V\d$/;
const ID = /^\d{1,20}$/;

/** Sentences of fixes alone name their device; the others report sensors, cells and the device itself. */
export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const fields = toLatin1(frame).split(',');
  if (fields[0] !== '$AV' || fields[1] === undefined) throw new CodecError('bad-text', 'no sentence of the family', 0);
  if (!FIX.test(fields[1])) return { state, messages: [{ type: 'heartbeat' }], replies: [] };
  const id = fields[2] ?? '';
  if (!ID.test(id)) throw new CodecError('bad-text', 'no device id');
  // The second input and the altitude are pairs that may be left out.
  for (const layout of LAYOUTS) {
    const position = readFix(fields, layout);
    if (position !== undefined) return { state, messages: [{ type: 'login', ids: [id] }, position], replies: [] };
  }
  throw new CodecError('bad-text', 'the fields of a fix are in no known order');
}

interface Layout {
  /** where the fix type stands */
  readonly fixType: number;
  readonly hasAltitude: boolean;
}

const INPUT_2 = 12;
const LAYOUTS: readonly Layout[] = [
  { fixType: INPUT_2 + 2, hasAltitude: true },
  { fixType: INPUT_2 + 2, hasAltitude: false },
  { fixType: INPUT_2, hasAltitude: true },
  { fixType: INPUT_2, hasAltitude: false },
];

const DIGITS = /^\d{1,10}$/;
const WHOLE = /^-?\d{1,10}$/;
const FLAG = /^[01]$/;
const DECIMAL = /^\d{1,6}\.\d{0,6}$/;
const HEIGHT = /^(?:-?\d{1,6}\.\d{0,6})?$/;
const LATITUDE = /^\d{4}\.\d{1,6}[NS]$/;
const LONGITUDE = /^\d{5}\.\d{1,6}[EW]$/;

/** What the first fields must be, from the index on. */
const HEAD: readonly RegExp[] = [DIGITS, DIGITS, DIGITS, WHOLE, FLAG, FLAG, DIGITS, DIGITS, DIGITS];
const HEAD_AT = 3;

const matches = (fields: readonly string[], at: number, patterns: readonly RegExp[]): boolean =>
  patterns.every((pattern, i) => pattern.test(fields[at + i] ?? ' '));

const degreesOf = (text: string): number =>
  withHemisphere(degreesFromDdmm(parseDecimal(text.slice(0, -1)) ?? Number.NaN), text.at(-1));

/** Undefined where the fields are not of this layout. */
function readFix(fields: readonly string[], { fixType, hasAltitude }: Layout): Message | undefined {
  if (!matches(fields, HEAD_AT, HEAD)) return undefined;
  if (fixType > INPUT_2 && !matches(fields, INPUT_2, [DIGITS, DIGITS])) return undefined;
  if (!matches(fields, fixType, hasAltitude ? [FLAG, DIGITS, HEIGHT, HEIGHT] : [FLAG, DIGITS])) return undefined;
  const at = fixType + (hasAltitude ? 4 : 2);
  const [time = '', latitude = '', longitude = '', speed = '', course = '', date = ''] = fields.slice(at, at + 6);
  if (!isDigits(time, 6) || !isDigits(date, 6) || !LATITUDE.test(latitude) || !LONGITUDE.test(longitude))
    return undefined;
  if (!DECIMAL.test(speed) || !DECIMAL.test(course)) return undefined;
  const attributes: Attributes = {
    index: Number(fields[3]),
    power: Number(fields[4]) / 100,
    battery: Number(fields[5]) / 100,
    ignition: fields[8] === '1',
    input: Number(fields[9]),
    sat: Number(fields[fixType + 1]),
  };
  const fix = {
    time: utcFromDdmmyyHhmmss(date, time),
    valid: true,
    latitude: degreesOf(latitude),
    longitude: degreesOf(longitude),
    altitude: hasAltitude ? Number(fields[fixType + 2]) : undefined,
    speed: Number(speed) * KNOT_KMH,
  };
  // A full turn stays one, as the device writes it.
  return { ...positionOf(fix, attributes), course: Math.min(Number(course), 360) };
}

import { type Attributes, CodecError } from '#codec';
import { CAN_EXPANSION, CAN_FIELDS, CAN_MODEL_FIELDS, CAN_THIRD, type CanField, type CanKind } from '../elements.ts';
import { walkFix } from '../location.ts';
import { type Draft, Fields, outdated, type ReadReport } from '../report.ts';

const HAS_EXPANSION = 29;
const HAS_LOCATION = 30;
const HAS_THIRD = 31;
const HOUR_MS = 3_600_000;

const isSet = (mask: number, bit: number): boolean => ((mask >>> bit) & 1) !== 0;

/** CAN: what its masks name of the vehicle's bus, and a location behind that. */
export const canBus: ReadReport = ({ v, model, sendTime }) => {
  const fields = new Fields(v, 6);
  const mask = fields.hex() ?? 0;
  const attributes: Attributes = {};
  readMasked(fields, mask, CAN_FIELDS, attributes);
  readMasked(fields, mask, CAN_MODEL_FIELDS.get(model) ?? [], attributes);
  if (isSet(mask, HAS_EXPANSION)) {
    const expansion = fields.hex() ?? 0;
    readMasked(fields, expansion, CAN_EXPANSION, attributes);
    if (isSet(expansion, HAS_THIRD)) readMasked(fields, fields.hex() ?? 0, CAN_THIRD, attributes);
  }
  const draft = isSet(mask, HAS_LOCATION) && model !== 'GV355CEU' ? readFix(fields, attributes) : outdated(attributes);
  fields.keepRest(attributes);
  if (sendTime !== undefined) draft.deviceTime = sendTime;
  return [draft];
};

/** A fix follows whether the device calls it valid or not. */
function readFix(fields: Fields, attributes: Attributes): Draft {
  while (fields.peek() === '') fields.skip(1);
  if (fields.left <= 0) return outdated(attributes);
  const isValid = (fields.integer() ?? 0) > 0;
  if (fields.peek() === '') return outdated(attributes);
  const draft = walkFix(fields, attributes) ?? outdated(attributes);
  if (!isValid) draft.valid = false;
  return draft;
}

function readMasked(fields: Fields, mask: number, table: readonly CanField[], attributes: Attributes): void {
  for (const [bit, kind, key] of table) {
    if (!isSet(mask, bit)) continue;
    if (kind === 'skip') fields.skip(1);
    else fields.set(attributes, key, READ[kind](fields));
  }
}

type Value = string | number | boolean | undefined;

const scaled = (fields: Fields, factor: number): number | undefined => {
  const value = fields.decimal();
  return value === undefined ? undefined : value * factor;
};

const READ: Readonly<Record<Exclude<CanKind, 'skip'>, (fields: Fields) => Value>> = {
  text: (fields) => fields.text(),
  number: (fields) => fields.decimal(),
  hex: (fields) => fields.hex(),
  flag: (fields) => {
    const value = fields.integer();
    return value === undefined ? undefined : value > 0;
  },
  prefixed: (fields) => numberBehind(fields.text(), 1),
  perHour: (fields) => {
    const text = fields.text();
    return text.startsWith('L/H') ? numberBehind(text, 3) : undefined;
  },
  hundreds: (fields) => scaled(fields, 100),
  hours: (fields) => {
    const value = scaled(fields, HOUR_MS);
    return value === undefined ? undefined : Math.round(value);
  },
  volts: (fields) => scaled(fields, 0.001),
};

/** The number behind letters that say what it counts: H2843820, P35.00, L/H1.5. */
function numberBehind(text: string, letters: number): number | undefined {
  if (text.length <= letters) return undefined;
  const value = new Fields([text.slice(letters)], 0).decimal();
  if (value === undefined) throw new CodecError('bad-text', 'no number behind its letter');
  return value;
}

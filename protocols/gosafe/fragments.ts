import { type Attributes, CodecError, type Draft, setIfPresent, withHemisphere } from '#codec';
import { Fields, parseDecimal } from '#codec/text';

const HOUR_MS = 3_600_000;

/** A place in an item; the time of the fix is the item's. */
export interface Place {
  readonly valid: boolean;
  readonly latitude: number;
  readonly longitude: number;
}

export interface Item {
  readonly draft: Draft;
  place?: Place;
}

/** Decimal degrees behind the letter of their hemisphere. */
export function degreesOf(text: string): number {
  const value = parseDecimal(text.slice(1));
  if (value === undefined) throw new CodecError('bad-text', `${text.slice(0, 16)} is no place`);
  return withHemisphere(value, text[0]);
}

function readPlace(values: Fields, item: Item): void {
  const { draft } = item;
  const valid = values.text() === 'A';
  draft.attributes['sat'] = values.integer();
  item.place = { valid, latitude: degreesOf(values.text()), longitude: degreesOf(values.text()) };
  const speed = values.optionalNumber();
  const course = values.optionalNumber();
  draft.setMovement(values.optionalNumber(), speed, course);
  setIfPresent(draft.attributes, 'hdop', values.optionalNumber());
  setIfPresent(draft.attributes, 'vdop', values.optionalNumber());
}

/** The serving cell; neighbours may follow. */
function readCell(values: Fields, { draft }: Item): void {
  values.skip(2);
  const mcc = values.integer();
  const mnc = values.integer();
  draft.addCell({ mcc, mnc, lac: values.hex(), cid: values.hex(), rssi: 0 - Math.abs(values.integer()) });
}

/** Distance, then hours, with minutes and seconds where there are any. */
function readCounts(values: Fields, { draft }: Item): void {
  setIfPresent(draft.attributes, 'odometer', values.optionalNumber());
  const parts = values.optionalText()?.split('-').map(Number);
  if (parts === undefined || parts.some((part) => !Number.isFinite(part))) return;
  const [hours = 0, minutes = 0, seconds = 0] = parts;
  draft.attributes['hours'] = hours * HOUR_MS + minutes * 60_000 + seconds * 1000;
}

const VOLTAGES: readonly string[] = ['power', 'battery', 'adc1', 'adc2'];

function readVoltages(values: Fields, { draft }: Item): void {
  for (const key of VOLTAGES) setIfPresent(draft.attributes, key, values.optionalNumber());
}

/** Lines in the order of their bits. */
const LINES: readonly string[] = ['ignition', 'in1', 'in2', 'in3', 'in4', 'out1', 'out2', 'out3'];

function readState(values: Fields, { draft: { attributes } }: Item): void {
  attributes['status'] = values.hex();
  const lines = values.optionalHex();
  if (lines !== undefined) for (const [bit, key] of LINES.entries()) attributes[key] = ((lines >> bit) & 1) !== 0;
  if (values.left < 2) return;
  attributes['geofence'] = values.text() + values.text();
  setIfPresent(attributes, 'eventStatus', values.optionalText());
  setIfPresent(attributes, 'packetType', values.optionalText());
}

const keep =
  (key: string) =>
  (values: Fields, { draft }: Item): void =>
    setIfPresent(draft.attributes, key, values.optionalText());

const [DRIVER, TEMPERATURE] = ['0', '1'];

/** Sensors on one wire: index, kind, and what the kind has. */
function readWire(values: Fields, { draft: { attributes } }: Item): void {
  while (values.left > 2) {
    const index = values.integer();
    const kind = values.text();
    if (kind === DRIVER) setIfPresent(attributes, 'driverUniqueId', values.optionalText());
    else if (kind === TEMPERATURE) {
      values.skip();
      attributes[`temp${index}`] = values.number();
    } else return;
  }
}

export const FRAGMENTS: ReadonlyMap<string, (values: Fields, item: Item) => void> = new Map([
  ['GPS', readPlace],
  ['GSM', readCell],
  ['COT', readCounts],
  ['ADC', readVoltages],
  ['DTT', readState],
  ['ETD', keep('eventData')],
  ['OBD', keep('obd')],
  ['TAG', keep('tagData')],
  ['IWD', readWire],
]);

/** Empty values at the end count as absent. */
export const valuesOf = (text: string): Fields => {
  const values = text.split(';');
  while (values.at(-1) === '') values.pop();
  return new Fields(values);
};

export const isHexFragment = (text: string): boolean => /^[0-9A-Fa-f]{1,12}$/.test(text);

export function setEvent(text: string, attributes: Attributes): void {
  attributes['event'] = Number.parseInt(text, 16);
}

import { type Attributes, addAlarm, type DeviceOptions, Draft, decimalOf, isDigits, utcOfDigits } from '#codec';
import { readBeacons } from './beacons.ts';
import { isGiven } from './binary.ts';
import { finish, namesOf, type Told } from './fields.ts';

type TextField = (text: string, told: Told, options: DeviceOptions) => void;

const whole = (text: string): number | undefined => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);

const number =
  (key: string, factor = 1, per = 1): TextField =>
  (text, { draft }) => {
    const value = whole(text);
    if (value !== undefined) draft.attributes[key] = (value * factor) / per;
  };
const plain =
  (key: string): TextField =>
  (text, { draft }) => {
    if (text !== '') draft.attributes[key] = text;
  };
const alarm =
  (name: string): TextField =>
  (text, { draft }) => {
    if ((whole(text) ?? 0) > 0) addAlarm(draft.attributes, name);
  };
const assign =
  (key: 'signal' | 'cell' | 'lac' | 'altitude'): TextField =>
  (text, told) => {
    const value = whole(text);
    if (value !== undefined) told[key] = value;
  };

const TENTH_HOURS = 360_000;

/** Values of one's own, in a text record. Source: AK/AX protocol document, custom fields. */
const FIELDS: ReadonlyMap<string, TextField> = new Map<string, TextField>([
  ['SA', number('sat')],
  ['MV', number('power', 1, 10)],
  ['BV', number('battery', 1, 10)],
  ['GQ', assign('signal')],
  ['CE', assign('cell')],
  ['LC', assign('lac')],
  [
    'CN',
    (text, told) => {
      if (!/^\d{4,7}$/.test(text)) return;
      told.mcc = Number(text.slice(0, 3));
      told.mnc = Number(text.slice(3));
    },
  ],
  ['PC', number('count1')],
  ['AT', assign('altitude')],
  ['RP', number('rpm')],
  ['GS', number('rssi')],
  [
    'DT',
    (text, { draft }) => {
      draft.attributes['archive'] = text === '1';
    },
  ],
  ['VN', plain('vin')],
  ['TR', number('throttle')],
  ['ET', number('coolantTemp')],
  ['FL', number('fuel')],
  ['FC', number('fuelConsumption')],
  ['AV1', number('adc1')],
  ['CD', plain('iccid')],
  ['EH', number('hours', TENTH_HOURS)],
  ['IA', number('intakeTemp')],
  ['EL', number('engineLoad')],
  ['HA', alarm('hardAcceleration')],
  ['HB', alarm('hardBraking')],
  ['HC', alarm('hardCornering')],
  [
    'MT',
    (text, { draft }) => {
      draft.attributes['motion'] = (whole(text) ?? 0) > 0;
    },
  ],
  ['BC', (text, told, options) => readBeacons(text, told, options['frameMask'] === 1)],
]);

const HEAD_FIELDS = 5;
const LINE =
  /^(\d{1,17}),\d{0,17},\d{0,17},(-?\d{1,9}),(-?\d{1,9}),(\d{1,4}),(\d{1,5}),(\d{1,10}(?:\.\d{1,4})?),(\d{1,6}),(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,6}),([^,]{0,64}),(-?\d{1,6}),(-?\d{1,6})(?:,([^,]{0,1000}))?(?:,(.*))?$/s;

const LONG_TIME = 14;

function timeOf(text: string): number {
  return text.length >= LONG_TIME && isDigits(text, text.length)
    ? utcOfDigits(text.slice(0, LONG_TIME))
    : Number(text) * 1000;
}

/** Lines, each a record; one that does not fit is passed over. */
export function readLines(text: string, options: DeviceOptions): { id: string; drafts: Draft[] } | undefined {
  const head = text.split(',', HEAD_FIELDS);
  const id = head[4];
  if (id === undefined || !/^[A-Za-z0-9._:-]{1,64}$/.test(id)) return undefined;
  const body = text.slice(head.join(',').length + 1);
  const drafts: Draft[] = [];
  for (const line of body.split('\r\n')) {
    const draft = readLine(line.trim(), options);
    if (draft !== undefined) drafts.push(draft);
  }
  return { id, drafts };
}

function readLine(line: string, options: DeviceOptions): Draft | undefined {
  const m = LINE.exec(line);
  if (m === null) return undefined;
  const [, time, longitude, latitude, course, event, distance, hdop, input, speed, output, adc, driver, ...rest] = m;
  const [temp1, temp2, , custom] = rest;
  const attributes: Attributes = {
    event: Number(event),
    odometer: (decimalOf(distance!) ?? 0) * 100,
    hdop: Number(hdop) / 10,
    input: Number(input),
    output: Number(output),
    adc1: Number(adc),
    temp1: Number(temp1),
    temp2: Number(temp2),
  };
  if (driver !== '') attributes['driverUniqueId'] = driver!;
  const draft = new Draft(attributes);
  draft.setFix(timeOf(time!), true, Number(latitude) / 1e6, Number(longitude) / 1e6);
  draft.setMovement(0, Number(speed), Number(course));
  if (custom !== undefined) readCustom(custom, draft, options);
  return draft;
}

/** Values by the names of the format, which the device's option or the text itself gives. */
function readCustom(custom: string, draft: Draft, options: DeviceOptions): void {
  const { form } = options;
  if (!isGiven(form) && options['custom'] !== true) return;
  const [first = '', ...others] = custom.split(/,|\r\n/);
  if (!isGiven(form) && !first.startsWith('%CI')) return;
  const values = isGiven(form) ? [first, ...others] : others;
  const told: Told = { draft };
  for (const [at, name] of namesOf(isGiven(form) ? form : first).entries()) {
    const value = values[at];
    if (value !== undefined) FIELDS.get(name)?.(value, told, options);
  }
  finish(told, true);
}

import { CodecError, type DeviceOptions, type Position } from '#codec';
import { type Fields, type Layout, TextRecord, type Variables } from '#codec/text';
import { BEACON_MASK } from './elements.ts';
import { answered, NOTHING, type Reading } from './record.ts';
import {
  FOUR_HUNDRED,
  JOURNEY,
  LEGACY,
  LEGACY_TAIL,
  NINE_HUNDRED,
  NINE_HUNDRED_TAIL,
  UNIVERSAL,
  UNIVERSAL_TAIL,
} from './tables.ts';

/** Throws CodecError `bad-text` if a field before the tail is not what it should be. */
function read(fields: Fields, variables: Variables, body: Layout, tail?: Layout): Position {
  const record = new TextRecord(variables);
  const { type } = variables;
  record.valid = type === 'BLE';
  if (type !== undefined) record.draft.attributes['type'] = type;
  if (!body.walk(fields, record)) throw new CodecError('bad-text', `field ${fields.at} is not what it should be`);
  tail?.walk(fields, record);
  const { day, timeOfDay: clock, draft } = record;
  if (day !== undefined) draft.deviceTime = day + clock;
  if (tail !== undefined) addCell(record);
  return record.toPosition();
}

/** The cell behind the fix counts more than the one before it. A device without a network sends zeros. */
function addCell({ draft, mcc, mnc, lac, cid, rssi }: TextRecord): void {
  if (!mcc || mnc === undefined || lac === undefined || cid === undefined) return;
  draft.addCell(rssi === undefined ? { mcc, mnc, lac, cid } : { mcc, mnc, lac, cid, rssi });
}

function readAnswer(fields: Fields, type: string): Reading {
  const id = fields.text();
  const result = fields.all.slice(fields.at).join(';');
  return { id, messages: answered(type, result) };
}

/** Keep-alives, and journeys, of which only the device is read. */
const NAMES_ONLY: ReadonlySet<string> = new Set(['ALV', 'TRV']);
const UNIVERSAL_TYPES: ReadonlySet<string> = new Set(['STT', 'ALT', 'BLE', 'UEX']);
const MASK = /^[0-9A-Fa-f]{1,8}$/;

/** `STT;id;mask;…`: a field is there only where its bit of the mask is set. */
export function readUniversal(fields: Fields): Reading {
  // an A before the type wants an acknowledgement, whose form is not known
  const type = fields.text().replace(/^A(?=[A-Z]{3}$)/, '');
  if (type === 'RES') return readAnswer(fields, type);
  if (NAMES_ONLY.has(type)) return { id: fields.text(), messages: [] };
  if (!UNIVERSAL_TYPES.has(type)) return NOTHING;
  const id = fields.text();
  const isHex = MASK.test(fields.peek() ?? '');
  const mask = type === 'BLE' ? BEACON_MASK : isHex ? fields.hex() : fields.integer();
  return { id, messages: [read(fields, { type, mask }, UNIVERSAL, UNIVERSAL_TAIL)] };
}

const LEGACY_TYPES: ReadonlySet<string> = new Set(['STT', 'EMG', 'EVT', 'ALT', 'UEX']);

/** SA200, ST2xx, ST3xx, ST5xx and ST6xx: model and type, `Res`, id … */
export function readLegacy(fields: Fields, options: DeviceOptions): Reading {
  const prefix = fields.text();
  const model = prefix.slice(0, 5);
  const type = prefix.slice(5);
  if (fields.peek() === 'Res') {
    fields.skip();
    return readAnswer(fields, type);
  }
  const id = fields.text();
  if (!LEGACY_TYPES.has(type)) return { id, messages: [] };
  const variables = {
    type,
    model,
    layout: Number(options['hbm'] ?? 0),
    adc: Number(options['includeAdc'] ?? 0),
    rpm: Number(options['includeRpm'] ?? 0),
    temperature: Number(options['includeTemp'] ?? 0),
  };
  return { id, messages: [read(fields, variables, LEGACY, LEGACY_TAIL)] };
}

const NINE_HUNDRED_TYPES: ReadonlySet<string> = new Set(['Location', 'Emergency', 'Alert']);

/** ST9xx: `ST910;Location|Emergency|Alert;…` */
export function read900(fields: Fields, options: DeviceOptions): Reading {
  fields.skip();
  const kind = fields.text();
  if (!NINE_HUNDRED_TYPES.has(kind)) return NOTHING;
  const id = fields.text();
  const withCell = Number(options['protocolType'] ?? 0);
  return { id, messages: [read(fields, { kind, withCell }, NINE_HUNDRED, NINE_HUNDRED_TAIL)] };
}

/** ST4xx: `ST410STT`, `ST410ALT`. */
export function read400(fields: Fields): Reading {
  const type = fields.text().slice(5);
  if (type !== 'STT' && type !== 'ALT') return NOTHING;
  const id = fields.text();
  return { id, messages: [read(fields, { type }, FOUR_HUNDRED)] };
}

/** `…HTE`, what a journey was: the last field names the driver. */
export function readJourney(fields: Fields): Reading {
  const prefix = fields.text();
  const id = fields.text();
  const driver = fields.left === 0 ? undefined : fields.all.at(-1);
  const record = new TextRecord({ model: prefix.slice(0, 5) });
  JOURNEY.walk(fields, record);
  const { day, timeOfDay: clock, draft } = record;
  if (day !== undefined) draft.deviceTime = day + clock;
  if (driver) draft.attributes['driverUniqueId'] = driver;
  return draft.isEmpty ? { ...NOTHING, id } : { id, messages: [record.toPosition()] };
}

import { CodecError } from '#codec';
import { Fields, type Grammar, isDigits, TextRecord } from '#codec/text';
import { STATES } from './elements.ts';
import { hasPlace } from './generic.ts';
import { hasVin, keepUnread, type Report } from './report.ts';
import { EVENTS, SENT_TIME } from './tables/events.ts';
import { HEAD_OF_EXPANDED, STATE } from './tables/expanded.ts';
import { FIXED_REPORT, FIXED_REPORT_OF_LONG_VERSION, FIXED_REPORT_OF_ONE_INPUT } from './tables/fixed.ts';
import { INFORMATION_END, LISTS } from './tables/lists.ts';
import { LISTED_LOCATION } from './tables/location.ts';

/** Undefined if the text does not have the layout of its type. */
type ReadReport = (report: Report) => TextRecord[] | undefined;

const recordOf = ({ model }: Report): TextRecord => new TextRecord({ model });

function stampSent({ draft }: TextRecord, { sendTime }: Report): void {
  if (sendTime !== undefined) draft.deviceTime = sendTime;
}

function refuse(fields: Fields): never {
  throw new CodecError('bad-text', `field ${fields.at + 4} is not what it should be`);
}

function keepRest({ draft }: TextRecord, fields: Fields): void {
  keepUnread(draft.attributes, 'tail', fields.all.slice(fields.at).join(','));
}

/** A message of one grammar. */
const event: ReadReport = (report) => {
  const { body, type } = report;
  const record = recordOf(report);
  const end = body === undefined ? -1 : EVENTS[type]!(body, record);
  if (end < 0) return undefined;
  if (SENT_TIME.has(type)) stampSent(record, report);
  keepUnread(record.draft.attributes, 'tail', [...record.unread, report.bodyFrom(end)].join(','));
  return [record];
};

/**
 * A message whose fields are walked. What stands behind the last that is known is kept. Models put other fields before
 * the place; such a message is read by the looks of its fields.
 */
const list: ReadReport = (report) => {
  const { must, may } = LISTS[report.type]!;
  const fields = report.fields();
  const record = recordOf(report);
  if (must.walk(fields, record)) may.walk(fields, record);
  else if (fields.left > 0 || report.type === 'DAT') return undefined;
  stampSent(record, report);
  keepRest(record, fields);
  return [record];
};

/** Other fields before the place may look like an ignition report without one. */
const ignition: ReadReport = (report) => {
  const records = list(report);
  return records?.[0]?.hasFix === false && hasPlace(report) ? undefined : records;
};

/** Versions of old devices, which have no fields of version and id in place, are longer. */
const MAX_VERSION_CHARS = 10;
const information: ReadReport = (report) => {
  if (report.version.length > MAX_VERSION_CHARS) return undefined;
  const fields = report.fields();
  const record = recordOf(report);
  const isKnown = hasVin(report.model) ? hasState(fields) : beginsWithState(fields);
  if (!isKnown) return undefined;
  if (LISTS['INF']!.must.walk(fields, record)) readInformationEnd(fields, record);
  else if (fields.left > 0) return undefined;
  stampSent(record, report);
  keepRest(record, fields);
  return [record];
};

const CODE_OF_STATE = /^[0-9A-Fa-f]{0,2}$/;
const SIM_CARD = /^(?:[0-9A-Fa-f]{4,22})?$/;
const beginsWithState = (fields: Fields): boolean =>
  CODE_OF_STATE.test(fields.peek() ?? '-') && SIM_CARD.test(fields.peek(1) ?? '');
/** The number of the vehicle may stand before it. */
const hasState = (fields: Fields): boolean => [0, 1].some((at) => STATES[fields.peek(at) ?? ''] !== undefined);

/** What stands behind the time of the last fix is found by that time; models have other fields before it. */
function readInformationEnd(fields: Fields, record: TextRecord): void {
  const ahead = [0, 1, 2, 3, 4, 5].find((at) => isDigits(fields.peek(at) ?? '', 14));
  if (ahead === undefined) return;
  const end = new Fields(fields.all, fields.at + ahead + 1);
  INFORMATION_END.walk(end, record);
  fields.at = end.at;
}

/** Models with one analogue input, behind which the backup battery stands. */
const ONE_INPUT = new Set(['GMT100', 'GV30CAU', 'GV30CEU']);

const layoutOf = ({ model, version }: Report): Grammar => {
  if (ONE_INPUT.has(model)) return FIXED_REPORT_OF_ONE_INPUT;
  return version.length > 6 ? FIXED_REPORT_OF_LONG_VERSION : FIXED_REPORT;
};

/** FRI and its kin: one position a location, the vehicle's state on the last. */
const fixedReport: ReadReport = (report) => {
  const last = recordOf(report);
  const end = report.body === undefined ? -1 : layoutOf(report)(report.body, last);
  if (end < 0) return undefined;
  const { earlier, draft } = last;
  const { vin } = draft.attributes;
  if (vin !== undefined) for (const record of earlier) record.draft.attributes['vin'] = vin;
  keepUnread(draft.attributes, 'tail', report.bodyFrom(end));
  return [...earlier, last];
};

const COUNT_AT = 3;

/** ERI: like FRI, with what its mask names. The fixes stand before what cannot be read, which is kept. */
const expandedReport: ReadReport = (report) => {
  const fields = report.fields();
  const head = recordOf(report);
  if (!HEAD_OF_EXPANDED.walk(fields, head)) refuse(fields);
  const positions: TextRecord[] = [];
  // one where the field is empty
  const count = fields.all[COUNT_AT] === '' ? 1 : Number(head.variables['locations']);
  while (positions.length < count) {
    const record = new TextRecord(head.variables);
    if (!LISTED_LOCATION.walk(fields, record)) refuse(fields);
    positions.push(record);
  }
  const last = positions.at(-1) ?? head;
  Object.assign(last.draft.attributes, head.draft.attributes);
  STATE.walk(fields, last);
  stampSent(last, report);
  keepRest(last, fields);
  return positions.length === 0 ? [head] : positions;
};

const IGNITION_TYPES = ['IGN', 'IGF', 'VGN', 'VGF'];
const FIXED_TYPES = ['FRI', 'CTN', 'GEO', 'RTL', 'DOG', 'STR'];

/** By type; what is not here, or does not have the layout of its type, is read by the looks of its fields. */
export const REPORTS: ReadonlyMap<string, ReadReport> = new Map([
  ...Object.keys(EVENTS).map((type) => [type, event] as const),
  ...Object.keys(LISTS).map((type) => [type, list] as const),
  ...FIXED_TYPES.map((type) => [type, fixedReport] as const),
  ...IGNITION_TYPES.map((type) => [type, ignition] as const),
  ['INF', information],
  ['ERI', expandedReport],
]);

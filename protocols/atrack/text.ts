import type { DeviceOptions, Draft } from '#codec';
import { byName, TextRecord } from '#codec/text';
import { FRAMED } from './beacons.ts';
import { isGiven } from './binary.ts';
import { finish, namesOf } from './fields.ts';
import { CUSTOM, FIELDS, LINE } from './layouts.ts';

const HEAD_FIELDS = 5;

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
  const record = new TextRecord({ [FRAMED]: Number(options['frameMask'] ?? 0) });
  if (LINE(line, record) < 0) return undefined;
  const { draft, variables, fixTime = 0, latitude = 0, longitude = 0 } = record;
  draft.setFix(fixTime, true, latitude, longitude);
  if (variables[CUSTOM] !== undefined) readCustom(String(variables[CUSTOM]), record, options);
  return draft;
}

const byFieldName = byName(FIELDS);

/** Values by the names of the format, which the device's option or the text itself gives. */
function readCustom(custom: string, record: TextRecord, options: DeviceOptions): void {
  const { form } = options;
  const [first = '', ...others] = custom.split(/,|\r\n/);
  if (!isGiven(form) && !first.startsWith('%CI')) return;
  byFieldName(namesOf(isGiven(form) ? form : first))(isGiven(form) ? [first, ...others] : others, record);
  const { draft, mcc, mnc, lac, cid, rssi } = record;
  finish({ draft, mcc, mnc, lac, cell: cid, signal: rssi }, true);
}

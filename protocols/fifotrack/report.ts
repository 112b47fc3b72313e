import { CodecError, type Position } from '#codec';
import { Fields, type Layout, TextRecord } from '#codec/text';
import { PERSONAL, REPORT, REPORT_TAIL } from './layouts.ts';

/** Throws CodecError `bad-text` where a field before the tail is not what it should be. */
function read(content: string, body: Layout, tail?: Layout): Position {
  const fields = new Fields(content.split(','));
  const record = new TextRecord();
  if (!body.walk(fields, record)) throw new CodecError('bad-text', `field ${fields.at} is not what it should be`);
  tail?.walk(fields, record);
  if (!record.hasFix) record.draft.deviceTime = record.fixTime;
  return record.toPosition();
}

/** Vehicle trackers: A00, A01, A02 … */
export const readReport = (content: string): Position => read(content, REPORT, REPORT_TAIL);

/** Personal trackers: A03, with a fix or with what they hear of access points. */
export const readPersonal = (content: string): Position => read(content, PERSONAL);

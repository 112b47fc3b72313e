import { CodecError, type Position, setIfPresent } from '#codec';
import { TextRecord, utcFromDdmmyyHhmmss, utcFromDigits } from '#codec/text';
import { alarmOf, ignitionOf } from './elements.ts';
import { CLOCK, CODE, DAY, PLACE, STATE } from './tables.ts';

/** The day is written year first in the bracket form, day first between commas. */
const timeOf = (day: string, clock: string, isDayFirst: boolean): number =>
  isDayFirst ? utcFromDdmmyyHhmmss(day, clock) : utcFromDigits(`20${day}${clock}`);

/** Throws CodecError `bad-text` if the sentence has no place in it. */
export function readPosition(type: string, content: string, isDayFirst: boolean): Position {
  const record = new TextRecord();
  const { draft, variables } = record;
  const end = PLACE(content, record);
  if (end < 0) throw new CodecError('bad-text', `no place in a sentence ${type}`);
  draft.addAlarm(alarmOf(type, String(variables[CODE] ?? '')));
  if (STATE(content.slice(end), record) < 0) throw new CodecError('bad-text', 'no course behind the time');
  setIfPresent(draft.attributes, 'ignition', ignitionOf(type));
  record.fixTime = timeOf(String(variables[DAY]), String(variables[CLOCK]), isDayFirst);
  return record.toPosition();
}

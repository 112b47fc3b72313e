import { versionOf } from '../../contract/versions.ts';
import { NEWER_THAN_TARGET } from '../spool/operate.ts';
import { subjectOf } from '../spool/subject.ts';
import type { Batch } from './batch.ts';
import type { LineRejection } from './target.ts';

/** A rejected line with its record. */
export type Refused = LineRejection & ReturnType<Batch['recordAt']>;

/** The rejection of a record that the target is too old to read gets a code of its own. */
export function explain(line: Refused, reads: number | undefined): Refused {
  if (reads === undefined) return line;
  const { what } = subjectOf(line.kind, line.bytes);
  if (versionOf(what) <= reads) return line;
  return { ...line, code: NEWER_THAN_TARGET, detail: `The target is too old for ${what} (${line.code})` };
}

import { EVENT_LINES, type GatewayEvent, gatewayEvent } from '../../../contract/events.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Check, compileCheck } from '../../kernel/http/index.ts';
import type { ReadBatch } from './batch.ts';
import { NO_RECORDS } from './packed-records.ts';
import type { Rejection } from './store.ts';

const checks = new Map<unknown, Check>(
  gatewayEvent.options.map((option) => [option.shape.type.value, compileCheck(option)]),
);

/**
 * Reads a batch of NDJSON. A line that is not an event is rejected under its sequence number; where a line has none, the
 * batch cannot be answered line by line. Throws AppError `malformed`.
 */
export function readJsonLines(text: string): ReadBatch {
  const events: GatewayEvent[] = [];
  const rejected: Rejection[] = [];
  let firstSeq = 0;
  let lastSeq = 0;
  let count = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (++count > EVENT_LINES) throw new AppError('malformed', `more than ${EVENT_LINES} lines`);
    const { seq, event, detail } = readEvent(line);
    if (seq === undefined) throw new AppError('malformed', `line ${count} names no seq`);
    if (seq <= lastSeq) throw new AppError('malformed', `line ${count}: seq ${seq} follows ${lastSeq}`);
    if (count === 1) firstSeq = seq;
    lastSeq = seq;
    if (event !== undefined) events.push(event);
    else rejected.push({ seq, code: 'invalid', detail });
  }
  return { events, positions: NO_RECORDS, frames: NO_RECORDS, rejected, firstSeq, lastSeq };
}

/** An event, or why the text is not one. `seq`: undefined if it cannot be read. */
type ReadEvent = { readonly seq: number | undefined } & (
  | { readonly event: GatewayEvent; readonly detail?: undefined }
  | { readonly event?: undefined; readonly detail: string }
);

export function readEvent(text: string): ReadEvent {
  const value = parse(text);
  const seq = seqOf(value, text);
  const detail = seq === undefined ? 'the line names no seq' : check(value);
  return detail === undefined ? { event: value as GatewayEvent, seq } : { seq, detail };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function seqOf(value: unknown, line: string): number | undefined {
  const seq =
    value === undefined ? Number(/"seq":\s*(\d{1,16})/.exec(line)?.[1]) : (value as { seq?: unknown } | null)?.seq;
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : undefined;
}

function check(value: unknown): string | undefined {
  if (value === undefined) return 'the line is no JSON';
  const known = checks.get((value as { type?: unknown }).type);
  return known === undefined ? 'no such type of event' : known(value);
}

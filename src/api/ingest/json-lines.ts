import { EVENT_LINES, type GatewayEvent, gatewayEvent } from '../../contract/events.ts';
import { AppError } from '../../platform/errors.ts';
import { type Check, compileCheck } from '../http/index.ts';
import { readPosition } from './position-line.ts';
import type { Rejection } from './store.ts';

/** With `attributes` (JSON text, fit to be stored) those of the position were not parsed and stand empty in it. */
export interface ParsedLine {
  readonly event: GatewayEvent;
  readonly attributes?: string | undefined;
}

/** Positions or frames that stay packed: what they say is looked at when they are written. */
export interface PackedLines {
  readonly bytes: Buffer;
  readonly seqs: readonly number[];
  /** where in `bytes` they begin, and end */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** '' of a frame that was sent before the device had said who it is */
  readonly deviceIds: readonly string[];
}

export const NOTHING_PACKED: PackedLines = { bytes: Buffer.alloc(0), seqs: [], starts: [], ends: [], deviceIds: [] };

export interface ParsedLines {
  /** in order of seq */
  readonly lines: readonly ParsedLine[];
  /** positions and frames that came packed; `lines` holds the rest */
  readonly packed?: PackedLines | undefined;
  readonly frames?: PackedLines | undefined;
  readonly rejected: readonly Rejection[];
  readonly firstSeq: number;
  readonly lastSeq: number;
}

const checks = new Map<unknown, Check>(
  gatewayEvent.options.map((option) => [option.shape.type.value, compileCheck(option)]),
);

/**
 * Reads a batch of NDJSON. A line that is not an event is rejected under its seq; where not even that can be read the
 * batch cannot be answered line by line. Throws AppError `malformed`.
 */
export function parseLines(text: string): ParsedLines {
  const lines: ParsedLine[] = [];
  const rejected: Rejection[] = [];
  let firstSeq = 0;
  let lastSeq = 0;
  let count = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (++count > EVENT_LINES) throw new AppError('malformed', `more than ${EVENT_LINES} lines`);
    const read = readLine(line);
    const { seq } = read;
    if (seq === undefined) throw new AppError('malformed', `line ${count} names no seq`);
    if (seq <= lastSeq) throw new AppError('malformed', `line ${count}: seq ${seq} follows ${lastSeq}`);
    if (count === 1) firstSeq = seq;
    lastSeq = seq;
    if (read.detail === undefined) lines.push(read);
    else rejected.push({ seq, code: 'invalid', detail: read.detail });
  }
  return { lines, rejected, firstSeq, lastSeq };
}

/** A line that has been read: an event, or why it is none. `seq` where that can be told. */
type ReadLine = { readonly seq: number | undefined } & (
  | (ParsedLine & { readonly detail?: undefined })
  | { readonly detail: string }
);

export function readLine(line: string): ReadLine {
  const quick = readPosition(line);
  if (quick !== undefined) return { ...quick, seq: quick.event.seq };
  const value = parse(line);
  const seq = seqOf(value, line);
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

import type { FrameResult } from './contract.ts';

export type Match = 'no' | 'more' | 'yes';

/** How the sentences of a text protocol lie in a stream. */
export interface Sentences {
  /** the longest, with its end */
  readonly mostBytes: number;
  /** Does a sentence begin here? `more`: the bytes end too early to tell. */
  readonly begins: (bytes: Uint8Array, at: number) => Match;
  /** bytes that end one, such as `#` or the line feed */
  readonly ends: readonly number[];
  /** the end belongs to the sentence's content */
  readonly keepsEnd?: boolean;
}

const CR = 0x0d;

/** First place from `from` on that is not known to begin no sentence; -1 where there is none. */
export function findSentence(bytes: Uint8Array, from: number, { begins }: Sentences): number {
  for (let at = from; at < bytes.length; at++) if (begins(bytes, at) !== 'no') return at;
  return -1;
}

/** Cuts the sentence at the head of the buffer; what stands before one is skipped. */
export function cutSentence(bytes: Uint8Array, rules: Sentences): FrameResult {
  const start = findSentence(bytes, 0, rules);
  if (start !== 0) return { type: 'skip', bytes: start < 0 ? bytes.length : start };
  if (rules.begins(bytes, 0) === 'more') return { type: 'wait' };
  const head = bytes.length > rules.mostBytes ? bytes.subarray(0, rules.mostBytes) : bytes;
  const at = firstOf(head, rules.ends);
  if (at >= 0) {
    const content = rules.keepsEnd ? at + 1 : at > 0 && bytes[at - 1] === CR ? at - 1 : at;
    return { type: 'frame', start: 0, end: at + 1, content: bytes.subarray(0, content) };
  }
  if (head.length < rules.mostBytes) return { type: 'wait' };
  const next = findSentence(head, 1, rules);
  return { type: 'skip', bytes: next < 0 ? head.length : next };
}

/** A text between two marks. */
export interface Enclosed {
  /** the mark behind it */
  readonly end: number;
  /** the longest, with its marks */
  readonly mostBytes: number;
  /** its bytes begin with the one and lie below the other */
  readonly within: readonly [least: number, beyond: number];
}

/**
 * Cuts the text that the mark at the head of the buffer opens. Of beginnings in a row all are given up at once that
 * the end is too far away for, so that a stream of them is looked through about once.
 */
export function cutEnclosed(bytes: Uint8Array, { end, mostBytes, within: [least, beyond] }: Enclosed): FrameResult {
  let at = 1;
  while (at < bytes.length && bytes[at] !== end && bytes[at]! >= least && bytes[at]! < beyond) at++;
  if (at < bytes.length && bytes[at] !== end) return { type: 'skip', bytes: at };
  const tooMany = at + 1 - mostBytes;
  if (tooMany > 0) return { type: 'skip', bytes: tooMany };
  return at < bytes.length ? { type: 'frame', start: 0, end: at + 1 } : { type: 'wait' };
}

/**
 * Where the first of some bytes stands; -1 where there is none of them. By the engine's own search: a stream of
 * beginnings without an end is looked through once for each of them.
 */
export function firstOf(bytes: Uint8Array, ends: readonly number[]): number {
  let first = -1;
  for (const end of ends) {
    const at = first < 0 ? bytes.indexOf(end) : bytes.subarray(0, first).indexOf(end);
    if (at >= 0) first = at;
  }
  return first;
}

/** How far the bytes from `at` on agree with a text. */
export function startsWith(bytes: Uint8Array, at: number, text: string): Match {
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (byte !== text.charCodeAt(i)) return 'no';
  }
  return 'yes';
}

/** How far the bytes in `[start, end)` are decimal digits. */
export function areDigits(bytes: Uint8Array, start: number, end: number): Match {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'more';
    if (byte < 0x30 || byte > 0x39) return 'no';
  }
  return 'yes';
}

/** Whether a pattern finds its sentence in the first bytes; `more` while fewer than `most` are there and none ends it. */
export function matchesOpening(bytes: Uint8Array, opening: RegExp, most: number, end: string): Match {
  const text = String.fromCharCode(...bytes.subarray(0, most));
  if (opening.test(text)) return 'yes';
  return bytes.length < most && !text.includes(end) ? 'more' : 'no';
}

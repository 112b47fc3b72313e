import { countryCode, MARKET, UNION } from '../../../../src/server/tachograph/engine/nations.ts';
import type { PlaceNote } from '../../../../src/server/tachograph/engine/reports/driver-days.ts';
import { type CabotageRecord, cabotageOf } from '../../../../src/server/tachograph/engine/transport/cabotage.ts';
import {
  type EnteredOperation,
  type Operation,
  operationsOf,
} from '../../../../src/server/tachograph/engine/transport/operations.ts';
import {
  judgePosting,
  type PostedOperation,
  type Posting,
  postingsOf,
} from '../../../../src/server/tachograph/engine/transport/posting.ts';
import { type Stay, staysOf } from '../../../../src/server/tachograph/engine/transport/stays.ts';

/** NationNumeric by letters. */
export const nation = (letters: string): number => {
  for (let code = 1; code < 64; code++) if (countryCode(code) === letters) return code;
  throw new Error(`no country ${letters}`);
};
export const ITALY = nation('I');
export const PLATE = 'AB123CD';
export const secondsAt = (instant: string): number => Date.parse(`${instant}:00Z`) / 1000;

const KINDS = { L: 'load', U: 'unload', LU: 'load-unload' } as const;

/**
 * `2026-03-02T06:00 I begin, 2026-03-02T07:00 L, 2026-03-03T10:00 > D`: places, loading and unloading, and border
 * crossings into a country, as a card of the second version records them.
 */
export function notesOf(journey: string): PlaceNote[] {
  return journey.split(',').map((each): PlaceNote => {
    const [when = '', what = '', where = ''] = each.trim().split(/\s+/);
    const at = secondsAt(when);
    const plain = { at, odometerKm: null, position: null };
    if (what === '>') return { ...plain, kind: 'border', country: nation(where) };
    if (what in KINDS) return { ...plain, kind: KINDS[what as keyof typeof KINDS], country: 0 };
    return { ...plain, kind: where === 'end' ? 'end' : 'begin', country: nation(what) };
  });
}

/** `D 2026-03-02T06:00 F 2026-03-03T10:00`: a carriage that a person entered. */
export function entered(text: string, id = 'trp_1', plate = PLATE): EnteredOperation {
  const [from = '', loaded = '', to = '', unloaded = ''] = text.trim().split(/\s+/);
  return {
    id,
    plate,
    loadedIn: nation(from),
    loadedAt: secondsAt(loaded),
    unloadedIn: nation(to),
    unloadedAt: secondsAt(unloaded),
    isCombined: false,
  };
}

export interface Judged {
  readonly operations: readonly PostedOperation[];
  readonly postings: readonly Posting[];
  readonly stays: readonly Stay[];
}

const USE = { plate: PLATE, from: 0, to: null };

/** An Italian undertaking and one vehicle. */
export function judge(
  journey: string,
  carriages: readonly EnteredOperation[] = [],
  { establishment = ITALY, isSmart = true } = {},
): Judged {
  const places = journey === '' ? [] : notesOf(journey);
  const operations = operationsOf({ places, uses: [USE], entered: carriages, establishment });
  const stays = staysOf(places, operations);
  const context = { establishment, members: UNION, smart: new Set(isSmart ? [PLATE] : []) };
  const judged = judgePosting(operations, context);
  return { operations: judged, stays, postings: postingsOf(judged, stays, { ...context, zone: 'UTC' }) };
}

const letters = (country: number | null): string => (country === null ? '?' : countryCode(country));

/** `I-D bilateral`, `D-F cross-trade posted`. */
export const short = ({ loadedIn, unloadedIn, kind, isPosted, isAdditional }: PostedOperation): string =>
  `${letters(loadedIn)}-${letters(unloadedIn)} ${kind}${isPosted === true ? ' posted' : ''}${isAdditional ? ' additional' : ''}`;

/** `D 03-02..03-04 cabotage`. */
export const line = ({ country, from, to, types }: Posting): string =>
  `${letters(country)} ${from.slice(5)}..${to.slice(5)} ${types.join('+')}`;

export function cabotage(
  operations: readonly Operation[],
  stays: readonly Stay[],
  at: string,
  establishment = ITALY,
): CabotageRecord {
  return cabotageOf({ operations, stays, establishment, hosts: MARKET, zone: 'UTC', at: secondsAt(at) });
}

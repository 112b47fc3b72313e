import { secondsOf } from '../layout/days.ts';
import type { ActivityChange, ActivityDay, CardSection, Generation } from '../records.ts';
import { DAY } from './timeline.ts';
import type { Trust } from './trust.ts';

/** A day of one card in one file. */
export interface CardDay {
  readonly day: ActivityDay;
  readonly fileId: string;
  readonly generation: Generation;
  readonly trust: Trust;
  /** Minute of the day up to which its last activity lasts. */
  readonly until: number;
}

/** Of each trust the most complete record of a day. */
export interface MergedDay {
  /** What counts, the most trusted first. */
  readonly counted: readonly CardDay[];
  /** What differs, also what does not contribute; one where all files agree. */
  readonly versions: readonly CardDay[];
}

/** The days of one card over its files, in any order. */
export class CardDays {
  /** By date: records that differ from each other, or are trusted differently. */
  readonly #days = new Map<string, CardDay[]>();

  add(next: CardDay): void {
    const known = this.#days.get(next.day.date);
    if (known === undefined) {
      this.#days.set(next.day.date, [next]);
      return;
    }
    const rankOf = ({ trust: { contributes, rank } }: CardDay): number => (contributes ? rank : -1);
    const same = known.findIndex((one) => rankOf(one) === rankOf(next) && agree(one, next));
    if (same < 0) known.push(next);
    else if (compare(next, known[same]!) > 0) known[same] = next;
  }

  *days(): Generator<MergedDay> {
    for (const known of this.#days.values()) {
      const sorted = known.toSorted((a, b) => b.trust.rank - a.trust.rank || compare(b, a));
      const contributing = sorted
        .filter(({ trust }) => trust.contributes)
        .map((one, _, all) => endedBefore(one, all))
        .toSorted((a, b) => b.trust.rank - a.trust.rank || compare(b, a));
      // Of one trust the most complete one; what is trusted less counts after its end.
      const counted = contributing.filter(
        (one, index) => contributing.findIndex(({ trust }) => trust.rank === one.trust.rank) === index,
      );
      const versions = sorted.filter((one, index) => !sorted.slice(0, index).some((other) => agree(one, other)));
      yield { counted, versions };
    }
  }
}

/** The newest day of a download ends with it, not at 24:00; without the time of the download, with the last change. */
export function untilOf(day: ActivityDay, section: CardSection, downloadedAt: number | undefined): number {
  if (day !== section.days.at(-1)) return DAY;
  const last = day.changes.at(-1)?.minute ?? 0;
  // A unit writes the time of a download before it sends the card: if it is later than the last change, it belongs to this download.
  const ended = downloadedAt ?? section.lastDownload;
  if (ended === undefined || ended === null) return last;
  return Math.max(last, Math.min(DAY, Math.floor(ended / 60) - secondsOf(day.date) / 60));
}

/**
 * A card only ever adds changes. Where a record that is trusted as much continues this one, this one ended before the next
 * change, whatever time of the download its file states: EF 050E has no signature.
 */
function endedBefore(one: CardDay, all: readonly CardDay[]): CardDay {
  const { changes } = one.day;
  const next = all.flatMap(({ day, trust }) => {
    const added = trust.rank >= one.trust.rank ? day.changes[changes.length] : undefined;
    return added !== undefined && changes.every((change, index) => isSame(change, day.changes[index]!))
      ? added.minute
      : [];
  });
  return next.length === 0 ? one : { ...one, until: Math.min(one.until, ...next) };
}

const isSame = (a: ActivityChange, b: ActivityChange): boolean =>
  a.minute === b.minute && a.activity === b.activity && a.status === b.status && a.slot === b.slot;

/** One of them begins with the other: a download in the middle of a day has the beginning of it. */
function agree(a: CardDay, b: CardDay): boolean {
  const end = Math.min(a.until, b.until);
  for (let index = 0; ; index++) {
    const [one, other] = [a.day.changes[index], b.day.changes[index]];
    const isOneOver = one === undefined || one.minute >= end;
    const isOtherOver = other === undefined || other.minute >= end;
    if (isOneOver || isOtherOver) return isOneOver && isOtherOver;
    if (!isSame(one, other)) return false;
  }
}

/** The day that is recorded to its end; of two different ones the content decides, and not which file came first. */
const compare = (next: CardDay, before: CardDay): number =>
  next.until - before.until ||
  next.day.changes.length - before.day.changes.length ||
  next.day.distanceKm - before.day.distanceKm ||
  order(contentOf(next), contentOf(before)) ||
  order(next.fileId, before.fileId);

const order = (a: string, b: string): number => Number(a > b) - Number(a < b);

const contentOf = ({ day }: CardDay): string =>
  day.changes.map(({ minute, activity, slot, status }) => `${minute}${activity}${slot}${status}`).join();

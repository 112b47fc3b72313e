import {
  DAY_SECONDS,
  dayOfCard,
  ignoreReport,
  isDate,
  type Report,
  readChanges,
  secondsOf,
  sortChanges,
} from '../layout/days.ts';
import { bcd16, u16, u32 } from '../layout/layout.ts';
import { activityChange } from '../layout/shared.ts';
import type { ActivityDay } from '../values.ts';

const HEADER = 12;
const SHORTEST = HEADER + 2;
/** Upper bound: a change in every minute and both slots. */
const LONGEST = HEADER + 2 * 2 * 1440;
/** Five years: as long as a driver card is valid at most. */
const VALID_SECONDS = 5 * 366 * DAY_SECONDS;

/** A day record by the offset of its first byte from the start of the ring. */
interface FoundDay {
  readonly at: number;
  readonly length: number;
  /** Its length equals the previous length in the next record. */
  readonly isConfirmed: boolean;
}

interface Head {
  readonly previous: number;
  readonly length: number;
  readonly date: number;
}

/**
 * The days of EF Driver_Activity_Data: two pointers and a ring of bytes, in which records may wrap around the end.
 * The chain is walked from both ends, so that records on both sides of a damaged link are read.
 * @param length of the file as announced; `bytes` are fewer where the download is truncated.
 */
export function readActivities(bytes: Uint8Array, length: number, report: Report): ActivityDay[] {
  if (bytes.length < 4) return [];
  const ring = new ActivityRing(bytes.subarray(4), length - 4, report);
  return ring.days(u16.read(bytes, 0, ignoreReport), u16.read(bytes, 2, ignoreReport));
}

class ActivityRing {
  readonly #bytes: Uint8Array;
  readonly #size: number;
  readonly #report: Report;
  readonly #scratch = new Uint8Array(LONGEST);

  constructor(bytes: Uint8Array, size: number, report: Report) {
    this.#bytes = bytes;
    this.#size = size;
    this.#report = report;
  }

  days(oldest: number, newest: number): ActivityDay[] {
    const validDays = [oldest, newest].filter((pointer) => pointer >= 0 && pointer < this.#size);
    if (validDays.length < 2)
      this.#report('bad-pointer', `pointers ${oldest} and ${newest} in a ring of ${this.#size}`);
    const found = this.#walk(oldest, newest);
    const days = [...found.values()].flatMap(({ at, length }) => this.#day(at, length) ?? []);
    days.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    for (let index = 1; index < days.length; index++) {
      const { date } = days[index]!;
      if (date === days[index - 1]!.date) this.#report('duplicate-day', `${date} stands in the ring twice`);
    }
    return this.#ofOneCard(days);
  }

  /** By their offsets. */
  #walk(oldest: number, newest: number): ReadonlyMap<number, FoundDay> {
    const found = new Map<number, FoundDay>();
    const keep = (day: FoundDay): void => {
      if (found.get(day.at)?.isConfirmed !== true) found.set(day.at, day);
    };
    const last = newest < this.#size ? newest : undefined;
    if (oldest < this.#size) this.#forwards(oldest, last).forEach(keep);
    const isWhole = last !== undefined && found.has(last);
    if (last !== undefined) this.#backwards(last, oldest).forEach(keep);
    if (!isWhole) this.#between([...found.values()].filter(({ isConfirmed }) => isConfirmed)).forEach(keep);
    return found;
  }

  /** A day further from the others than a card is valid has a damaged date. With only two it is undecidable which. */
  #ofOneCard(days: ActivityDay[]): ActivityDay[] {
    const middle = days[days.length >> 1];
    if (middle === undefined || days.length < 3) return days;
    const from = secondsOf(middle.date) - VALID_SECONDS;
    const to = secondsOf(middle.date) + VALID_SECONDS;
    const isOutside = ({ date }: ActivityDay): boolean => secondsOf(date) < from || secondsOf(date) > to;
    // They are sorted: if first and last are within, all are.
    if (!isOutside(days[0]!) && !isOutside(days.at(-1)!)) return days;
    return days.filter((day) => {
      if (!isOutside(day)) return true;
      this.#report('bad-date', `${day.date} is years from the other days of the card, and is left out`);
      return false;
    });
  }

  /** Bytes from `at` on, wrapping around the ring; `undefined` where the download is truncated before them. */
  #copy(at: number, count: number): Uint8Array | undefined {
    const start = at % this.#size;
    const first = Math.min(count, this.#size - start);
    if (start + first > this.#bytes.length || count - first > Math.min(start, this.#bytes.length)) return undefined;
    this.#scratch.set(this.#bytes.subarray(start, start + first));
    if (first < count) this.#scratch.set(this.#bytes.subarray(0, count - first), first);
    return this.#scratch;
  }

  #head(at: number): Head | undefined {
    const bytes = this.#copy(at, HEADER);
    if (bytes === undefined) return undefined;
    return {
      previous: u16.read(bytes, 0, ignoreReport),
      length: u16.read(bytes, 2, ignoreReport),
      date: u32.read(bytes, 4, ignoreReport),
    };
  }

  #isLength(length: number): boolean {
    return length >= SHORTEST && length <= LONGEST && length % 2 === 0 && length <= this.#size;
  }

  /** From the oldest day on, by the length of each, to the newest one, or as far as the chain is intact. */
  #forwards(oldest: number, newest: number | undefined): FoundDay[] {
    const found: FoundDay[] = [];
    let at = oldest;
    let head = this.#head(at);
    for (let walked = 0; head !== undefined; ) {
      if (!this.#isLength(head.length)) {
        if (head.date !== 0) this.#report('broken-chain', `a day of ${head.length} bytes at ${at} of the ring`);
        break;
      }
      walked += head.length;
      if (walked > this.#size) break;
      const next = (at + head.length) % this.#size;
      const following = at === newest ? undefined : this.#head(next);
      found.push({ at, length: head.length, isConfirmed: following?.previous === head.length });
      if (following === undefined) break;
      if (following.previous !== head.length && !isNext(head, following)) {
        this.#report('broken-chain', `the day at ${at} of the ring and the one after it do not agree`);
        break;
      }
      at = next;
      head = following;
    }
    if (head === undefined) this.#report('truncated', `the ring is cut before the day at ${at}`);
    return found;
  }

  /** From the newest day back, by the length of the one before. */
  #backwards(newest: number, oldest: number): FoundDay[] {
    const found: FoundDay[] = [];
    let at = newest;
    let head = this.#head(at);
    let length = head?.length ?? 0;
    let isConfirmed = false;
    for (let walked = 0; head !== undefined; ) {
      if (!this.#isLength(length)) {
        if (head.date !== 0) this.#report('broken-chain', `a day of ${length} bytes at ${at} of the ring`);
      } else found.push({ at, length, isConfirmed });
      walked += Math.max(length, SHORTEST);
      if (at === oldest || head.previous === 0) break;
      if (!this.#isLength(head.previous) || walked + head.previous > this.#size) {
        this.#report('broken-chain', `the day at ${at} of the ring does not link to the previous day`);
        break;
      }
      const before = (at - head.previous + this.#size) % this.#size;
      const preceding = this.#head(before);
      if (preceding === undefined) break;
      isConfirmed = preceding.length === head.previous;
      if (!isConfirmed && (!isNext(preceding, head) || this.#isFollowed(before, preceding))) {
        this.#report('broken-chain', `the day at ${at} of the ring and the one before it do not agree`);
        break;
      }
      length = head.previous;
      at = before;
      head = preceding;
    }
    return found;
  }

  /** The next day begins where this one ends, and repeats its length. */
  #isFollowed(at: number, head: Head): boolean {
    const following = this.#isLength(head.length) ? this.#head((at + head.length) % this.#size) : undefined;
    return following !== undefined && following.previous === head.length && isNext(head, following);
  }

  /** Days that neither walk reached: wherever two consecutive headers agree, or a record has the form of a day. */
  #between(known: readonly FoundDay[]): FoundDay[] {
    const taken = new Uint8Array(this.#size);
    const take = ({ at, length }: FoundDay): void => {
      for (let i = 0; i < length; i++) taken[(at + i) % this.#size] = 1;
    };
    known.forEach(take);
    const found: FoundDay[] = [];
    for (let start = 0; start < this.#size; start++) {
      let at = start;
      let head = this.#mayBeDay(at, taken) ? this.#head(at) : undefined;
      for (let isLinked = false; head !== undefined && this.#isLength(head.length); isLinked = true) {
        const isConfirmed = this.#isFollowed(at, head);
        const day: FoundDay = { at, length: head.length, isConfirmed };
        const isDay = isLinked || isConfirmed || this.#isDayAlone(day);
        if (!isDay || taken[(at + head.length - 1) % this.#size] === 1) break;
        found.push(day);
        take(day);
        at = (at + head.length) % this.#size;
        head = isConfirmed && taken[at] === 0 ? this.#head(at) : undefined;
      }
    }
    return found;
  }

  /** A fast check for a date. */
  #mayBeDay(at: number, taken: Uint8Array): boolean {
    if (taken[at] === 1) return false;
    const byte = (index: number): number => this.#bytes[(at + index) % this.#size] ?? 0;
    return isDate(((byte(4) << 24) | (byte(5) << 16) | (byte(6) << 8) | byte(7)) >>> 0);
  }

  /** Checks the form alone: a decimal counter, changes within the day, the first at midnight. */
  #isDayAlone({ at, length }: FoundDay): boolean {
    const bytes = this.#copy(at, length);
    if (bytes === undefined) return false;
    for (const byte of [bytes[8]!, bytes[9]!]) if ((byte & 15) > 9 || byte >> 4 > 9) return false;
    for (let u16 = HEADER; u16 < length; u16 += 2) {
      const minute = ((bytes[u16]! & 7) << 8) | bytes[u16 + 1]!;
      if (minute > 1439 || (u16 === HEADER && minute > 0)) return false;
    }
    return true;
  }

  #day(at: number, length: number): ActivityDay | undefined {
    const bytes = this.#copy(at, length);
    if (bytes === undefined) {
      this.#report('truncated', `the day at ${at} of the ring is cut`);
      return undefined;
    }
    const seconds = u32.read(bytes, 4, ignoreReport);
    const date = dayOfCard(seconds, this.#report);
    if (date === undefined) return undefined;
    const changes = readChanges(bytes, HEADER, (length - HEADER) / 2);
    return {
      date,
      presenceCounter: bcd16.read(bytes, 8, ignoreReport),
      distanceKm: u16.read(bytes, 10, ignoreReport),
      changes: sortChanges(changes, date, this.#report),
    };
  }
}

/** Whether `later` is the day of a card after `earlier`: both are dates, and not a year apart. */
function isNext(earlier: Head, later: Head): boolean {
  const apart = later.date - earlier.date;
  return isDate(earlier.date) && isDate(later.date) && apart > 0 && apart < 366 * DAY_SECONDS;
}

/**
 * EF Driver_Activity_Data of `size` bytes, the oldest day at `start` of the ring.
 * Throws RangeError if the days do not fit.
 */
export function writeActivities(days: readonly ActivityDay[], size: number, start = 0): Uint8Array {
  const ring = size - 4;
  const bytes = new Uint8Array(size);
  let at = start;
  let previous = 0;
  let written = 0;
  let newest = start;
  for (const day of days) {
    const record = writeDay(day, previous);
    written += record.length;
    if (written > ring) throw new RangeError(`the days do not fit a ring of ${ring} bytes`);
    for (const [index, byte] of record.entries()) bytes[4 + ((at + index) % ring)] = byte;
    newest = at;
    at = (at + record.length) % ring;
    previous = record.length;
  }
  u16.write(bytes, 0, start);
  u16.write(bytes, 2, newest);
  return bytes;
}

function writeDay(day: ActivityDay, previous: number): Uint8Array {
  const record = new Uint8Array(HEADER + 2 * day.changes.length);
  u16.write(record, 0, previous);
  u16.write(record, 2, record.length);
  u32.write(record, 4, secondsOf(day.date));
  bcd16.write(record, 8, day.presenceCounter);
  u16.write(record, 10, day.distanceKm);
  day.changes.forEach((change, index) => {
    activityChange.write(record, HEADER + 2 * index, change);
  });
  return record;
}

import type { ActivityChange, Finding } from '../values.ts';
import { activityChange } from './shared.ts';

export const DAY_SECONDS = 86_400;

/** Receives the problems of the file that is being read. */
export type Report = (code: Finding['code'], detail: string) => void;

/** Ignores problems. */
export const ignoreReport = (): void => {};

/** By days since 1970: four bytes of seconds allow fewer than 50,000, and files share most of them. */
const dates: string[] = [];

/** `yyyy-mm-dd` of a UTC midnight in four bytes; `undefined` for any other time. */
export function dateOf(seconds: number): string | undefined {
  if (!isDate(seconds)) return undefined;
  const day = seconds / DAY_SECONDS;
  dates[day] ??= new Date(seconds * 1000).toISOString().slice(0, 10);
  return dates[day];
}

/** Whether `dateOf` returns a date. */
export const isDate = (seconds: number): boolean => seconds !== 0 && seconds % DAY_SECONDS === 0;

/**
 * The day of a card's record, which begins at midnight. Another time is reported as damage; one within an hour of a
 * midnight still gives the day.
 */
export function dayOfCard(seconds: number, report: Report): string | undefined {
  const date = dateOf(seconds);
  if (date !== undefined) return date;
  const nearest = dateOf(Math.round(seconds / DAY_SECONDS) * DAY_SECONDS);
  const isNear = nearest !== undefined && Math.abs(secondsOf(nearest) - seconds) <= 3600;
  report('bad-date', `a day has the date ${seconds}, ${isNear ? `taken for ${nearest}` : 'and is left out'}`);
  return isNear ? nearest : undefined;
}

/** The day of a unit's block: units write any time of it, up to its last second. */
export function dayOfUnit(seconds: number, report: Report): string | undefined {
  const date = dateOf(seconds - (seconds % DAY_SECONDS));
  if (date === undefined) report('bad-date', 'a day without a date is left out');
  return date;
}

export const secondsOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;

export function readChanges(bytes: Uint8Array, at: number, count: number): ActivityChange[] {
  const changes: ActivityChange[] = new Array(count);
  for (let index = 0; index < count; index++) changes[index] = activityChange.read(bytes, at + 2 * index, ignoreReport);
  return changes;
}

/** The changes of a day by time; those of the two slots of a unit are ordered separately. */
export function sortChanges(changes: ActivityChange[], date: string, report: Report): ActivityChange[] {
  if (isSorted(changes)) return changes;
  report('unsorted-activities', `the activities of ${date} were out of order`);
  return changes.sort((a, b) => a.minute - b.minute);
}

function isSorted(changes: readonly ActivityChange[]): boolean {
  let driver = -1;
  let coDriver = -1;
  for (const { minute, slot } of changes) {
    if (minute < (slot === 'driver' ? driver : coDriver)) return false;
    if (slot === 'driver') driver = minute;
    else coDriver = minute;
  }
  return true;
}

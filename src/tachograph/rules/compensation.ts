import type { Minute } from '../timeline/timeline.ts';
import type { Compensation } from './analysis.ts';
import type { Draft } from './draft.ts';
import type { Pause } from './pauses.ts';
import { WEEK, weekOf } from './segments.ts';
import { REDUCED_WEEKLY, REGULAR_WEEKLY, type WeeklyPause, weeklyMinutes } from './weekly.ts';
import type { WeekRole } from './weeks.ts';

/** A reduced weekly rest, and the rest to which its compensation was attached. */
export interface Debt {
  readonly rest: WeeklyPause;
  readonly compensation: Compensation;
  /** 8(6b) after two reduced ones in a row: the next weekly rest includes the compensation of both. 8(6a) after twelve days. */
  readonly article: '8(6a)' | '8(6b)' | '8(7)';
}

/** It is attached to a rest of nine hours and more. */
const ATTACHED_TO = 540;
/** After up to twelve days two weekly rests are due, of which one may be reduced. */
const AFTER_TRIP = 2 * REGULAR_WEEKLY;

/**
 * Article 8(6a), (6b) and (7): the missing time of each reduced weekly rest, en bloc with another rest by the end of the third week
 * that follows. The earliest debt takes the smallest rest that is long enough; a rest can compensate several.
 */
export function debtsOf(chain: readonly WeeklyPause[], roles: readonly WeekRole[], pauses: readonly Pause[]): Debt[] {
  const spare = new Map<Pause, number>();
  for (const { rest } of roles) {
    if (rest !== null) spare.set(rest.pause, Math.max(0, rest.minutes - REGULAR_WEEKLY));
  }
  const afterTrips = chain.filter((rest) => rest.afterTwelveDays);
  for (const { pause, minutes } of afterTrips) spare.set(pause, Math.max(0, minutes - AFTER_TRIP));
  const debts: Debt[] = [];
  for (const [index, { rest, role, week, derogated }] of roles.entries()) {
    while (afterTrips[0] !== undefined && afterTrips[0].pause.from < week) {
      debts.push(...afterTrip(afterTrips.shift()!, pauses, spare));
    }
    if (
      rest === null ||
      rest.afterTwelveDays ||
      role !== 'reduced' ||
      rest.minutes >= REGULAR_WEEKLY ||
      rest.minutes < REDUCED_WEEKLY
    )
      continue;
    const minutes = REGULAR_WEEKLY - rest.minutes;
    const inPair = derogated || roles[index + 1]?.derogated === true;
    const next = inPair ? roles[derogated ? index + 1 : index + 2]?.rest : undefined;
    const dueBy = Math.min(week + 4 * WEEK, next?.pause.from ?? Number.POSITIVE_INFINITY);
    const taken = inPair
      ? afterPair(roles, derogated ? index : index + 1)
      : smallest(pauses, rest.pause.to, dueBy, minutes, spare);
    if (taken !== undefined) spare.set(taken, (spare.get(taken) ?? weeklyMinutes(taken) - ATTACHED_TO) - minutes);
    const compensation = { minutes, dueBy, takenFrom: taken?.from ?? null };
    debts.push({ rest, compensation, article: inPair ? '8(6b)' : '8(7)' });
  }
  for (const rest of afterTrips) debts.push(...afterTrip(rest, pauses, spare));
  return debts;
}

/** Article 8(6a)(b): what the reduced one of the two lacks. If they are too short for that, there is a finding. */
function afterTrip(rest: WeeklyPause, pauses: readonly Pause[], spare: Map<Pause, number>): Debt[] {
  const minutes = AFTER_TRIP - rest.minutes;
  if (minutes <= 0 || minutes > REGULAR_WEEKLY - REDUCED_WEEKLY) return [];
  // The third week that follows the one in which the twelve days ended.
  const dueBy = weekOf(rest.pause.from) + 4 * WEEK;
  const taken = smallest(pauses, rest.pause.to, dueBy, minutes, spare);
  if (taken !== undefined) spare.set(taken, (spare.get(taken) ?? weeklyMinutes(taken) - ATTACHED_TO) - minutes);
  return [{ rest, compensation: { minutes, dueBy, takenFrom: taken?.from ?? null }, article: '8(6a)' }];
}

function smallest(
  pauses: readonly Pause[],
  from: Minute,
  dueBy: Minute,
  minutes: number,
  spare: ReadonlyMap<Pause, number>,
): Pause | undefined {
  let best: Pause | undefined;
  let left = Number.POSITIVE_INFINITY;
  for (const pause of pauses) {
    if (pause.from < from) continue;
    if (pause.from >= dueBy) break;
    const room = spare.get(pause) ?? weeklyMinutes(pause) - ATTACHED_TO;
    // En bloc and in time: time after the end of the third week is too late.
    const inTime = Math.min(room, dueBy - pause.from);
    if (inTime < minutes || room >= left) continue;
    best = pause;
    left = room;
  }
  return best;
}

/** The weekly rest after the second of two, where it compensates both. */
function afterPair(roles: readonly WeekRole[], second: number): Pause | undefined {
  const lacking = [roles[second - 1], roles[second]].reduce(
    (sum, role) => sum + REGULAR_WEEKLY - (role?.rest?.minutes ?? REGULAR_WEEKLY),
    0,
  );
  const next = roles[second + 1]?.rest;
  return next !== null && next !== undefined && next.minutes >= REGULAR_WEEKLY + lacking ? next.pause : undefined;
}

/** W3, after the deadline. Only the debt of two reduced rests in a row is graded. */
export function missingCompensation(debts: readonly Debt[], to: Minute): Draft[] {
  return debts
    .filter(({ compensation: { takenFrom, dueBy } }) => takenFrom === null && dueBy <= to)
    .map(({ rest: { pause }, compensation: { minutes, dueBy }, article }) => ({
      rule: 'W3',
      article,
      from: pause.from,
      to: dueBy,
      limitMinutes: minutes,
      actualMinutes: 0,
      level: article === '8(6b)' ? 'VSI' : null,
      evidence: [
        { kind: 'rest', from: pause.from, to: pause.to },
        { kind: 'window', from: pause.to, to: dueBy },
      ],
      remarks: article === '8(6b)' ? ['derogation-applied'] : [],
    }));
}

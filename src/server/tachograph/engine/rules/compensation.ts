import type { Minute } from '../timeline/timeline.ts';
import type { Compensation } from './analysis.ts';
import type { Draft } from './draft.ts';
import type { Pause } from './pauses.ts';
import { assignRepayments } from './repayments.ts';
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

/** A debt before it is known which rest compensates it. */
interface OpenDebt extends Omit<Debt, 'compensation'> {
  readonly minutes: number;
  readonly dueBy: Minute;
  /** Article 8(6b): the only rest that compensates it; `null` if that is too short. */
  readonly fixed?: Pause | null;
}

/**
 * Article 8(6a), (6b) and (7): the missing time of each reduced weekly rest, en bloc with another rest by the end of the third week
 * that follows. Those of two reduced rests in a row are taken with the next weekly rest; the others with what leaves as
 * few minutes as possible.
 */
export function debtsOf(chain: readonly WeeklyPause[], roles: readonly WeekRole[], pauses: readonly Pause[]): Debt[] {
  const open = openDebts(chain, roles);
  const spare = spareOf(chain, roles);
  for (const { fixed, minutes } of open) {
    if (fixed) spare.set(fixed, spare.get(fixed)! - minutes);
  }
  const rooms = pauses.map((pause) => ({
    pause,
    from: pause.from,
    spare: spare.get(pause) ?? weeklyMinutes(pause) - ATTACHED_TO,
  }));
  const free = open.filter(({ fixed }) => fixed === undefined);
  const assigned = assignRepayments(
    free.map(({ rest, minutes, dueBy }) => ({ minutes, from: rest.pause.to, dueBy })),
    rooms,
  );
  return open.map(({ rest, article, minutes, dueBy, fixed }) => {
    const taken = fixed === undefined ? assigned.shift()?.pause : fixed;
    return { rest, article, compensation: { minutes, dueBy, takenFrom: taken?.from ?? null } };
  });
}

/** Minutes beyond those of a weekly rest, by weekly rest. A reduced one has none. */
function spareOf(chain: readonly WeeklyPause[], roles: readonly WeekRole[]): Map<Pause, number> {
  const spare = new Map<Pause, number>();
  for (const { rest } of roles) {
    if (rest !== null) spare.set(rest.pause, Math.max(0, rest.minutes - REGULAR_WEEKLY));
  }
  for (const { pause, minutes, afterTwelveDays } of chain) {
    if (afterTwelveDays) spare.set(pause, Math.max(0, minutes - AFTER_TRIP));
  }
  return spare;
}

/** In the order of the rests. */
function openDebts(chain: readonly WeeklyPause[], roles: readonly WeekRole[]): OpenDebt[] {
  const debts = chain.flatMap(afterTrip);
  for (const [index, { rest, role, week, derogated }] of roles.entries()) {
    if (
      rest === null ||
      rest.afterTwelveDays ||
      role !== 'reduced' ||
      rest.minutes >= REGULAR_WEEKLY ||
      rest.minutes < REDUCED_WEEKLY
    )
      continue;
    const minutes = REGULAR_WEEKLY - rest.minutes;
    const third = week + 4 * WEEK;
    if (!derogated && roles[index + 1]?.derogated !== true) {
      debts.push({ rest, minutes, dueBy: third, article: '8(7)' });
      continue;
    }
    const second = derogated ? index : index + 1;
    const dueBy = Math.min(third, roles[second + 1]?.rest?.pause.from ?? Number.POSITIVE_INFINITY);
    debts.push({ rest, minutes, dueBy, article: '8(6b)', fixed: afterPair(roles, second) ?? null });
  }
  return debts.sort((a, b) => a.rest.pause.from - b.rest.pause.from);
}

/** Article 8(6a)(b): what the reduced one of the two lacks. If they are too short for that, there is a finding. */
function afterTrip(rest: WeeklyPause): OpenDebt[] {
  const minutes = AFTER_TRIP - rest.minutes;
  if (!rest.afterTwelveDays || minutes <= 0 || minutes > REGULAR_WEEKLY - REDUCED_WEEKLY) return [];
  // The third week that follows the one in which the twelve days ended.
  return [{ rest, minutes, dueBy: weekOf(rest.pause.from) + 4 * WEEK, article: '8(6a)' }];
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

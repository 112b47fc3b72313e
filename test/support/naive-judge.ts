/**
 * What rules notify, computed from the documentation alone and from all reports of a device at once: sorted, then
 * compared pair by pair. Shares no code with the evaluation.
 */

export interface NaiveReport {
  /** epoch ms */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** `alarm`: the device reports an alarm once, without an end. */
type Answer = 'yes' | 'no' | 'alarm' | undefined;

export interface NaiveRule {
  readonly answer: (report: NaiveReport) => Answer;
  readonly dwellS?: number;
  readonly clearS?: number;
  readonly cooldownS?: number;
  /** only where the condition was known not to hold before */
  readonly isChange?: boolean;
  /** does not last across an hour of silence */
  readonly isDriving?: boolean;
  /** holds until a report says otherwise */
  readonly isState?: boolean;
  /** the last report counts again at these times */
  readonly repeatAt?: readonly number[];
}

interface Answered {
  readonly at: number;
  readonly answer: Exclude<Answer, undefined>;
  /** number of silences of more than an hour before it */
  readonly silences: number;
}

/** Start times of the episodes that are notified, epoch ms. */
export function naiveStarts(reports: readonly NaiveReport[], rule: NaiveRule): number[] {
  const inOrder = [...reports].sort((a, b) => a.at - b.at);
  const repeated = (rule.repeatAt ?? []).flatMap((at) => {
    const last = inOrder.findLast((report) => report.at < at);
    return last === undefined || inOrder.at(-1)!.at < at ? [] : [{ ...last, at }];
  });
  const sorted = [...repeated, ...inOrder].sort((a, b) => a.at - b.at);
  let silences = 0;
  const answered = sorted.flatMap((report, n): Answered[] => {
    if (n > 0 && report.at - sorted[n - 1]!.at > 3_600_000) silences++;
    const answer = rule.answer(report);
    return answer === undefined ? [] : [{ at: report.at, answer, silences }];
  });
  return startsOf(
    answered,
    rule,
    sorted.map(({ at }) => at),
  );
}

/** `times`: of all reports. The clock is asked only where a report comes. */
function startsOf(answered: readonly Answered[], rule: NaiveRule, times: readonly number[]): number[] {
  const { dwellS = 0, clearS = 0, cooldownS = 0, isChange = false, isDriving = false, isState = false } = rule;
  const isHeldUntil = (n: number, end: number): boolean => {
    const known = answered[n + 1]?.at ?? times.at(-1)!;
    const silentSince = times.findLast((at) => at <= end)!;
    return isState && end <= known && (!isDriving || end - silentSince <= 3_600_000);
  };
  const holding = answered.flatMap((each, n) => (each.answer === 'no' ? [] : [{ ...each, n }]));
  const groups: (typeof holding)[] = [];
  for (const [m, each] of holding.entries()) {
    const previous = holding[m - 1];
    const isNear = previous !== undefined && each.at - previous.at < clearS * 1_000;
    const isNext = previous !== undefined && previous.n === each.n - 1 && each.answer !== 'alarm';
    const isCut = isDriving && previous?.silences !== each.silences;
    if (isNear || (isNext && !isCut)) groups.at(-1)!.push(each);
    else groups.push([each]);
  }
  const starts: number[] = [];
  for (const group of groups) {
    const [first] = group;
    const end = first!.at + dwellS * 1_000;
    const lasts = group.at(-1)!.at >= end || group.some(({ answer, n }) => answer === 'alarm' || isHeldUntil(n, end));
    if (!lasts || (isChange && first!.n === 0)) continue;
    const previous = starts.at(-1);
    if (previous === undefined || first!.at - previous >= cooldownS * 1_000) starts.push(first!.at);
  }
  return starts;
}

const EARTH_M = 6_371_008.8;

/** The spherical law of cosines: another formula than the server's. */
export function metersBetween(a: readonly [number, number], b: readonly [number, number]): number {
  const [lat1, lon1, lat2, lon2] = [a[0], a[1], b[0], b[1]].map((degrees) => (degrees * Math.PI) / 180);
  const cosine = Math.sin(lat1!) * Math.sin(lat2!) + Math.cos(lat1!) * Math.cos(lat2!) * Math.cos(lon2! - lon1!);
  return EARTH_M * Math.acos(Math.min(1, cosine));
}

/**
 * Entries of a circle, or exits from it, by walking along the path in steps of a meter. A vehicle has left when it is 25
 * m outside; where both fixes are outside, when it leaves the circle in between.
 */
export function naiveFence(
  reports: readonly NaiveReport[],
  circle: { readonly center: readonly [number, number]; readonly radiusM: number },
  kind: 'enter' | 'exit',
): number[] {
  const sorted = [...reports].sort((a, b) => a.at - b.at);
  const outsideM = (latitude: number, longitude: number): number =>
    metersBetween([latitude, longitude], [circle.center[1], circle.center[0]]) - circle.radiusM;
  const answered: Answered[] = [];
  let isInside: boolean | undefined;
  const say = (at: number, inside: boolean): void => {
    answered.push({ at, answer: inside === (kind === 'enter') ? 'yes' : 'no', silences: 0 });
    isInside = inside;
  };
  for (const [n, { at, latitude, longitude }] of sorted.entries()) {
    const outside = outsideM(latitude, longitude);
    const before = sorted[n - 1];
    if (before !== undefined && isInside !== true && outside > 0 && at - before.at <= 600_000) {
      const steps = Math.ceil(metersBetween([before.latitude, before.longitude], [latitude, longitude]));
      const inside: number[] = [];
      for (let step = 1; step < steps; step++) {
        const share = step / steps;
        const here = outsideM(
          before.latitude + share * (latitude - before.latitude),
          before.longitude + share * (longitude - before.longitude),
        );
        if (here <= 0) inside.push(before.at + share * (at - before.at));
      }
      if (inside.length > 0) {
        say(inside[0]!, true);
        say(inside.at(-1)!, true);
        if (outside >= 25) say(inside.at(-1)!, false);
      }
    }
    if (outside <= 0 || outside >= 25) say(at, outside <= 0);
  }
  return startsOf(answered, { answer: () => undefined, isChange: true }, []);
}

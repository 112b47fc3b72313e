import {
  type Analysis,
  type AnalysisOptions,
  analyse,
  type RuleFinding,
} from '../../../../src/server/tachograph/engine/index.ts';
import type {
  Condition,
  Interval,
  Minute,
  Timeline,
} from '../../../../src/server/tachograph/engine/timeline/timeline.ts';

const DAY = 1440;
export const driver = { nation: 26, number: 'I1000000000001' };

export const minute = (text: string): Minute => Date.parse(`${text}Z`) / 60_000;

const ACTIVITIES: Readonly<Record<string, Interval['activity']>> = {
  D: 'driving',
  W: 'work',
  A: 'availability',
  R: 'rest',
  U: 'unknown',
  B: 'availability',
};

/** `4:30` and `4` in minutes. */
const lengthOf = (text: string): number => {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
};

/**
 * A timeline of parts one after the other: `D4:30` driving, `W` other work, `A` availability, `R` rest, `U` unknown, `B`
 * beside a colleague who drives, `+` after the length for two drivers; `(… )x5` repeats. Before and after it nothing is
 * known.
 */
export function plan(start: string, text: string, conditions: readonly Condition[] = []): Timeline {
  const from = minute(start);
  const intervals: Interval[] = [];
  let at = from;
  for (const part of unfold(text).split(/\s+/).filter(Boolean)) {
    const [, letter, length, together] = /^([DWARUB])([\d:]+)(\+?)$/.exec(part)!;
    const activity = ACTIVITIES[letter!]!;
    const to = at + lengthOf(length!);
    intervals.push({
      from: at,
      to,
      activity,
      slot: letter === 'B' ? 'co-driver' : 'driver',
      crew: together === '+' || letter === 'B',
      source: activity === 'unknown' ? 'none' : 'card',
    });
    at = to;
  }
  return timelineOf(intervals, conditions);
}

function unfold(text: string): string {
  const next = text.replace(/\(([^()]*)\)x(\d+)/g, (_, inner: string, count: string) =>
    Array.from({ length: Number(count) }, () => inner).join(' '),
  );
  return next === text ? text : unfold(next);
}

/** Filled up with what is unknown, to whole days. */
export function timelineOf(known: readonly Interval[], conditions: readonly Condition[] = []): Timeline {
  const from = Math.floor(known[0]!.from / DAY) * DAY;
  const to = Math.ceil(known.at(-1)!.to / DAY) * DAY;
  const gap = (begin: Minute, end: Minute): Interval[] =>
    end <= begin ? [] : [{ from: begin, to: end, activity: 'unknown', slot: 'driver', crew: false, source: 'none' }];
  return {
    from,
    to,
    conditions,
    intervals: [...gap(from, known[0]!.from), ...known, ...gap(known.at(-1)!.to, to)],
    days: Array.from({ length: (to - from) / DAY }, (_, index) => ({
      date: new Date((from + index * DAY) * 60_000).toISOString().slice(0, 10),
      fileIds: [`file-${index}`],
      distanceKm: 0,
      unknownMinutes: 0,
    })),
  };
}

export const analysed = (timeline: Timeline, options: Partial<AnalysisOptions> = {}): Analysis =>
  analyse(timeline, { driver, ...options });

/** `D1 680/600 SI`, without a grade `-`. */
export const short = ({ rule, actualMinutes, limitMinutes, level }: RuleFinding): string =>
  `${rule} ${actualMinutes}/${limitMinutes} ${level ?? '-'}`;

export const found = (timeline: Timeline, options: Partial<AnalysisOptions> = {}): string[] =>
  analysed(timeline, options).findings.map(short);

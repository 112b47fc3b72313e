import type { Run, Runs } from './runs.ts';
import type { Alarm, Occurrence, RuleState } from './state.ts';

/** How runs become alarms. */
export interface Manner {
  /** ms that it must last */
  readonly dwellMs: number;
  /** ms that it must be over before it can begin again */
  readonly clearMs: number;
  /** it must have been otherwise before: a change is told, not a state */
  readonly isChange: boolean;
  /** ms after an alarm in which no other is told */
  readonly cooldownMs: number;
  /** may what begins at this instant be told? */
  readonly isTold: (epochMs: number) => boolean;
}

interface Episode {
  readonly first: number;
  readonly from: number;
  readonly to: number;
  readonly run: Run;
  readonly peak: number | undefined;
  readonly isSure: boolean;
}

const MOST_ALARMS = 32;
const MOST_CORRECTIONS = 5;
/** clocks and rounding */
const SAME_MS = 1_000;

/** Runs that are on, with short interruptions taken for none. */
function episodesOf(runs: readonly Run[], clearMs: number): Episode[] {
  const episodes: Episode[] = [];
  for (const [first, run] of runs.entries()) {
    if (!run.on) continue;
    const last = episodes.at(-1);
    if (last !== undefined && run.from - last.to < clearMs) {
      const peak = Math.max(last.peak ?? Number.NEGATIVE_INFINITY, run.peak ?? Number.NEGATIVE_INFINITY);
      episodes[episodes.length - 1] = {
        ...last,
        to: run.to,
        peak: peak === Number.NEGATIVE_INFINITY ? undefined : peak,
        isSure: last.isSure || run.sure === true,
      };
    } else {
      episodes.push({ first, from: run.from, to: run.to, run, peak: run.peak, isSure: run.sure === true });
    }
  }
  return episodes;
}

export const correctionKey = (key: number, number: number): string => `${key}.${number}`;

/**
 * Compares what the runs say with what was told: new alarms, and corrections where late reports have changed what was
 * told before.
 */
export function settle(
  state: RuleState,
  lane: Runs,
  manner: Manner,
): { alarms: readonly Alarm[]; occurrences: readonly Occurrence[] } {
  const isMain = lane === state.main;
  let alarms = [...state.alarms];
  const matched = new Set<number>();
  const occurrences: Occurrence[] = [];
  for (const episode of episodesOf(lane.runs, manner.clearMs)) {
    const overlapping = alarms.filter((a) => a.from <= episode.to && a.to >= episode.from);
    const isUnknown = manner.isChange && episode.first === 0;
    if (isUnknown) for (const { key } of overlapping) matched.add(key);
    if (isUnknown || (!episode.isSure && episode.to - episode.from < manner.dwellMs)) continue;
    const [known, ...others] = overlapping.filter(({ key }) => !matched.has(key));
    for (const { key } of overlapping) matched.add(key);
    if (known !== undefined) {
      const kept = correct(known, episode, lane, occurrences);
      // two that turn out to be one: the later ones are withdrawn
      for (const other of others) if (other.silent !== true) occurrences.push(withdrawal(other));
      alarms = alarms.filter((a) => !others.includes(a)).map((a) => (a.key === known.key ? kept : a));
    } else if (overlapping.length === 0) {
      const isSilent = !manner.isTold(episode.from) || isCooling(alarms, episode.from, manner.cooldownMs);
      const { from, to } = episode;
      alarms.push({ key: from, from, to, corrections: 0, ...(isSilent ? { silent: true } : {}) });
      matched.add(from);
      if (!isSilent) occurrences.push({ kind: 'alarm', key: String(from), at: from, ...detailsOf(episode) });
    }
  }
  const start = lane.runs[0]?.from ?? 0;
  const isKnown = (from: number): boolean => isMain && (!lane.isCut || from > start);
  const gone = alarms.filter(({ key, from }) => !matched.has(key) && isKnown(from));
  for (const alarm of gone) if (alarm.silent !== true) occurrences.push(withdrawal(alarm));
  alarms = alarms.filter((alarm) => !gone.includes(alarm)).sort((a, b) => a.from - b.from);
  return { alarms: alarms.slice(-MOST_ALARMS), occurrences };
}

function correct(alarm: Alarm, episode: Episode, lane: Runs, occurrences: Occurrence[]): Alarm {
  const to = Math.max(alarm.to, episode.to);
  const isMoved = Math.abs(episode.from - alarm.from) >= SAME_MS;
  // what began before all that is remembered began when it was told
  const isCut = lane.isCut && episode.first === 0 && episode.from > alarm.from;
  const isSplit = alarm.from < (lane.runs[0]?.from ?? 0);
  if (!isMoved || isCut || isSplit || alarm.silent === true || alarm.corrections >= MOST_CORRECTIONS) {
    return { ...alarm, to };
  }
  const corrections = alarm.corrections + 1;
  occurrences.push({
    kind: 'moved',
    key: correctionKey(alarm.key, corrections),
    corrects: String(alarm.key),
    at: episode.from,
    ...detailsOf(episode),
  });
  return { ...alarm, from: episode.from, to, corrections };
}

const withdrawal = (alarm: Alarm): Occurrence => ({
  kind: 'withdrawn',
  key: correctionKey(alarm.key, alarm.corrections + 1),
  corrects: String(alarm.key),
  at: alarm.from,
});

const isCooling = (alarms: readonly Alarm[], at: number, cooldownMs: number): boolean =>
  alarms.some((alarm) => alarm.silent !== true && Math.abs(at - alarm.from) < cooldownMs);

const detailsOf = ({ run, peak }: Episode): Pick<Occurrence, 'spot' | 'value'> => ({
  ...(run.spot === undefined ? {} : { spot: run.spot }),
  ...(peak === undefined ? {} : { value: peak }),
});

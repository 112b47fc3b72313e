import type { Run, Runs } from './runs.ts';
import type { Alarm, AlarmEvent, RuleState } from './state.ts';

/** How runs are turned into alarms. */
export interface AlarmSettings {
  /** minimum duration, ms */
  readonly dwellMs: number;
  /** minimum gap before the next alarm, ms */
  readonly clearMs: number;
  /** alarms on a transition only: the state before must be known */
  readonly isChange: boolean;
  /** ms after an alarm in which further alarms are suppressed */
  readonly cooldownMs: number;
  /** are alarms that begin at this time notified? */
  readonly notifiesAt: (epochMs: number) => boolean;
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
/** tolerance for clocks and rounding */
const SAME_MS = 1_000;

/** Runs that are on, merged across short interruptions. */
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
 * Compares the runs with the alarms that were notified: returns new alarms, and corrections where late reports changed
 * earlier ones.
 */
export function settle(
  state: RuleState,
  history: Runs,
  settings: AlarmSettings,
): { alarms: readonly Alarm[]; events: readonly AlarmEvent[] } {
  const isMain = history === state.main;
  let alarms = [...state.alarms];
  const matched = new Set<number>();
  const events: AlarmEvent[] = [];
  for (const episode of episodesOf(history.runs, settings.clearMs)) {
    const overlapping = alarms.filter((a) => a.from <= episode.to && a.to >= episode.from);
    const isUnknown = settings.isChange && episode.first === 0;
    if (isUnknown) for (const { key } of overlapping) matched.add(key);
    if (isUnknown || (!episode.isSure && episode.to - episode.from < settings.dwellMs)) continue;
    const [known, ...others] = overlapping.filter(({ key }) => !matched.has(key));
    for (const { key } of overlapping) matched.add(key);
    if (known !== undefined) {
      const kept = correct(known, episode, history, events);
      // alarms that turn out to be one: the later ones are withdrawn
      for (const other of others) if (other.silent !== true) events.push(withdrawal(other));
      alarms = alarms.filter((a) => !others.includes(a)).map((a) => (a.key === known.key ? kept : a));
    } else if (overlapping.length === 0) {
      const isSilent = !settings.notifiesAt(episode.from) || isCooling(alarms, episode.from, settings.cooldownMs);
      const { from, to } = episode;
      alarms.push({ key: from, from, to, corrections: 0, ...(isSilent ? { silent: true } : {}) });
      matched.add(from);
      if (!isSilent) events.push({ kind: 'alarm', key: String(from), at: from, ...detailsOf(episode) });
    }
  }
  const start = history.runs[0]?.from ?? 0;
  const isKnown = (from: number): boolean => isMain && (!history.isCut || from > start);
  const gone = alarms.filter(({ key, from }) => !matched.has(key) && isKnown(from));
  for (const alarm of gone) if (alarm.silent !== true) events.push(withdrawal(alarm));
  alarms = alarms.filter((alarm) => !gone.includes(alarm)).sort((a, b) => a.from - b.from);
  return { alarms: alarms.slice(-MOST_ALARMS), events };
}

function correct(alarm: Alarm, episode: Episode, history: Runs, events: AlarmEvent[]): Alarm {
  const to = Math.max(alarm.to, episode.to);
  const isMoved = Math.abs(episode.from - alarm.from) >= SAME_MS;
  // if it began before the retained runs, the notified start is kept
  const isCut = history.isCut && episode.first === 0 && episode.from > alarm.from;
  const isSplit = alarm.from < (history.runs[0]?.from ?? 0);
  if (!isMoved || isCut || isSplit || alarm.silent === true || alarm.corrections >= MOST_CORRECTIONS) {
    return { ...alarm, to };
  }
  const corrections = alarm.corrections + 1;
  events.push({
    kind: 'moved',
    key: correctionKey(alarm.key, corrections),
    corrects: String(alarm.key),
    at: episode.from,
    ...detailsOf(episode),
  });
  return { ...alarm, from: episode.from, to, corrections };
}

const withdrawal = (alarm: Alarm): AlarmEvent => ({
  kind: 'withdrawn',
  key: correctionKey(alarm.key, alarm.corrections + 1),
  corrects: String(alarm.key),
  at: alarm.from,
});

const isCooling = (alarms: readonly Alarm[], at: number, cooldownMs: number): boolean =>
  alarms.some((alarm) => alarm.silent !== true && Math.abs(at - alarm.from) < cooldownMs);

const detailsOf = ({ run, peak }: Episode): Pick<AlarmEvent, 'spot' | 'value'> => ({
  ...(run.spot === undefined ? {} : { spot: run.spot }),
  ...(peak === undefined ? {} : { value: peak }),
});

/** Where a run began. */
export interface Spot {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly speed?: number;
  readonly course?: number;
}

/** Consecutive reports with the same result: times of the first and the last, epoch ms. */
export interface Run {
  readonly on: boolean;
  readonly from: number;
  readonly to: number;
  readonly spot?: Spot;
  /** greatest value that was reported in it */
  readonly peak?: number;
  /** the device itself reported an alarm: no minimum duration */
  readonly sure?: true;
  /** split there by a late report: the exact end is not known */
  readonly softFrom?: true;
  readonly softTo?: true;
}

/** Result of a rule's condition for one report. */
export interface Sample {
  readonly at: number;
  readonly on: boolean;
  readonly spot?: Spot;
  readonly value?: number;
  readonly sure?: true;
  /** a pulse: the device does not report its end */
  readonly isPulse?: boolean;
}

const MOST_RUNS = 16;

export interface Runs {
  readonly runs: readonly Run[];
  /** older runs have been dropped */
  readonly isCut: boolean;
}

export const NO_RUNS: Runs = { runs: [], isCut: false };

/** `older`: before the retained runs; `same`: only the end of the last run changed. */
export type Added = { readonly type: 'older' } | { readonly type: 'same' | 'changed'; readonly next: Runs };

const runOf = (s: Sample): Run => ({
  on: s.on,
  from: s.at,
  to: s.at,
  ...(s.on && s.spot !== undefined ? { spot: s.spot } : {}),
  ...(s.on && s.value !== undefined ? { peak: s.value } : {}),
  ...(s.on && s.sure === true ? { sure: true } : {}),
});

/** The run with the sample in it, at its end, at its beginning or inside. */
function widen(run: Run, s: Sample): Run {
  // hot path: only a later end
  if (s.at >= run.to && s.value === undefined && s.sure === undefined) return { ...run, to: s.at };
  if (s.at > run.from && s.at <= run.to && (s.value === undefined || (run.peak ?? s.value) >= s.value)) {
    return s.sure === true && run.sure !== true ? { ...run, sure: true } : run;
  }
  const peak = s.value === undefined || !run.on ? run.peak : Math.max(run.peak ?? s.value, s.value);
  return {
    ...run,
    from: Math.min(run.from, s.at),
    to: Math.max(run.to, s.at),
    ...(s.at < run.from && run.on && s.spot !== undefined ? { spot: s.spot } : {}),
    ...(peak === undefined ? {} : { peak }),
    ...(s.sure === true ? { sure: true as const } : {}),
  };
}

/**
 * Inserts a sample by its time, whenever it arrives. `pulseMs`: a pulse this long after another one starts a new run.
 */
export function addSample({ runs, isCut }: Runs, sample: Sample, pulseMs: number): Added {
  const last = runs.at(-1);
  const { at } = sample;
  if (last === undefined) return { type: 'changed', next: { runs: [runOf(sample)], isCut } };
  const isApart = sample.isPulse === true && at - last.to >= pulseMs;
  if (at >= last.to && last.on === sample.on && !isApart) {
    const wider = widen(last, sample);
    const type = wider.sure === last.sure ? 'same' : 'changed';
    return { type, next: { runs: wider === last ? runs : [...runs.slice(0, -1), wider], isCut } };
  }
  if (at >= last.to) return { type: 'changed', next: cut([...runs, runOf(sample)], isCut) };
  if (isCut && at < runs[0]!.from) return { type: 'older' };
  return { type: 'changed', next: cut(insert(runs, sample), isCut) };
}

function cut(runs: readonly Run[], isCut: boolean): Runs {
  return runs.length <= MOST_RUNS ? { runs, isCut } : { runs: runs.slice(-MOST_RUNS), isCut: true };
}

/** A sample that is older than the last run's end. */
function insert(runs: readonly Run[], sample: Sample): Run[] {
  const { at, on } = sample;
  const index = runs.findLastIndex((run) => run.from <= at);
  const before = runs[index];
  const after = runs[index + 1];
  const replace = (...middle: Run[]): Run[] => [
    ...runs.slice(0, Math.max(index, 0)),
    ...middle,
    ...runs.slice(index + 1),
  ];
  if (before !== undefined && before.on === on) return replace(widen(before, sample));
  if (before !== undefined && at < before.to) return split(runs, index, sample);
  // between two runs, one of which has the same state, or before the first
  if (after !== undefined && after.on === on) {
    return [...runs.slice(0, index + 1), widen(after, sample), ...runs.slice(index + 2)];
  }
  return [...runs.slice(0, index + 1), runOf(sample), ...runs.slice(index + 1)];
}

/** A sample inside a run of the other state. At a soft end it extends the neighboring run. */
function split(runs: readonly Run[], index: number, sample: Sample): Run[] {
  const run = runs[index]!;
  const { at, on } = sample;
  const [previous, next] = [runs[index - 1], runs[index + 1]];
  const right: Run = { ...run, from: at + 1, softFrom: true };
  if (run.softFrom === true && previous?.on === on) {
    return [...runs.slice(0, index - 1), widen(previous, sample), right, ...runs.slice(index + 1)];
  }
  const left: readonly Run[] = at > run.from ? [{ ...run, to: at - 1, softTo: true }] : [];
  if (run.softTo === true && next?.on === on) {
    return [...runs.slice(0, index), ...left, widen(next, sample), ...runs.slice(index + 2)];
  }
  return [...runs.slice(0, index), ...left, runOf(sample), right, ...runs.slice(index + 1)];
}

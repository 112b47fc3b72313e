import type { Episode, Judgement, RuleState } from '../rules/index.ts';

interface EarlierRun {
  readonly on: boolean;
  readonly from: number;
  readonly to: number;
  readonly peak?: number;
}

/** A state as versions before 0.2 have stored it: runs of equal results, and alarms. `told` was `notified`. */
interface EarlierState {
  readonly main?: { readonly runs: readonly EarlierRun[] };
  readonly alarms?: readonly { readonly from: number; readonly to: number; readonly silent?: true }[];
  readonly told?: RuleState['notified'];
  readonly notified?: RuleState['notified'];
}

/** States that were stored by earlier versions, as they are stored now. */
export function upgraded(state: RuleState | EarlierState): RuleState {
  if (!('main' in state) && !('told' in state)) return state as RuleState;
  const { told, notified = told } = state;
  const judgement = judgementOf(state);
  return {
    ...(judgement === undefined ? {} : { judgement }),
    ...(notified === undefined ? {} : { notified }),
  };
}

function judgementOf({ main, alarms = [] }: EarlierState): Judgement | undefined {
  const runs = main?.runs ?? [];
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  const run = runs.findLast(({ on }) => on);
  const alarm = run === undefined ? undefined : alarms.findLast(({ from, to }) => from <= run.to && to >= run.from);
  const episode: Episode | undefined =
    run === undefined
      ? undefined
      : {
          from: alarm?.from ?? run.from,
          to: run.to,
          status:
            alarm === undefined ? (runs.length === 1 ? 'unknown' : 'pending') : alarm.silent ? 'silent' : 'notified',
          ...(run.peak === undefined ? {} : { peak: run.peak }),
        };
  const notifiedAt = alarms.findLast(({ silent }) => silent !== true)?.from;
  return {
    at: last.to,
    id: '',
    on: last.on,
    ...(episode === undefined ? {} : { episode }),
    ...(notifiedAt === undefined ? {} : { notifiedAt }),
  };
}

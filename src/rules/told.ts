import type { Occurrence, RuleState } from './state.ts';
import type { Params } from './types.ts';

const MOST_TOLD = 32;
const FINAL = ['acknowledged', 'failed', 'expired', 'unknown', 'cancelled'];

/** A command has come to a state: told once, and corrected where it turns out otherwise. */
export function commandEnded(
  state: RuleState,
  { states = FINAL }: Params,
  command: { readonly id: string; readonly state: string; readonly at: number; readonly detail: string },
): { readonly state: RuleState; readonly occurrences: readonly Occurrence[] } {
  const { id, at, detail } = command;
  const nothing = { state, occurrences: [] };
  const before = state.told?.filter(([key]) => key === id || key.startsWith(`${id}.`)) ?? [];
  if (!FINAL.includes(command.state) || before.at(-1)?.[1] === command.state) return nothing;
  if (before.length === 0 && !states.includes(command.state)) return nothing;
  const key = before.length === 0 ? id : `${id}.${before.length}`;
  const told = [...(state.told ?? []), [key, command.state] as const].slice(-MOST_TOLD);
  const occurrence: Occurrence = { kind: 'alarm', key, at, detail, ...(before.length === 0 ? {} : { corrects: id }) };
  return { state: { ...state, told }, occurrences: [occurrence] };
}

/** A device has been silent since `seenAt` (epoch ms): told once a silence. */
export function silentSince(
  state: RuleState,
  { offlineSeconds = 3_600 }: Params,
  seenAt: number,
  now: number,
): { readonly state: RuleState; readonly occurrences: readonly Occurrence[] } {
  const at = seenAt + offlineSeconds * 1_000;
  const key = String(seenAt);
  if (at > now || state.told?.at(-1)?.[0] === key) return { state, occurrences: [] };
  return { state: { ...state, told: [[key, 'offline']] }, occurrences: [{ kind: 'alarm', key, at }] };
}

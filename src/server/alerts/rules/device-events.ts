import type { AlarmEvent, RuleState } from './state.ts';
import type { Params } from './types.ts';

const MAX_NOTIFIED = 32;
const FINAL = ['acknowledged', 'failed', 'expired', 'unknown', 'cancelled'];

/** A command has reached a final state: notified once, and corrected if a later state differs. */
export function commandEnded(
  state: RuleState,
  { states = FINAL }: Params,
  command: { readonly id: string; readonly state: string; readonly at: number; readonly detail: string },
): { readonly state: RuleState; readonly events: readonly AlarmEvent[] } {
  const { id, at, detail } = command;
  const nothing = { state, events: [] };
  const before = state.notified?.filter(([key]) => key === id || key.startsWith(`${id}.`)) ?? [];
  if (!FINAL.includes(command.state) || before.at(-1)?.[1] === command.state) return nothing;
  if (before.length === 0 && !states.includes(command.state)) return nothing;
  const key = before.length === 0 ? id : `${id}.${before.length}`;
  const notified = [...(state.notified ?? []), [key, command.state] as const].slice(-MAX_NOTIFIED);
  const event: AlarmEvent = { kind: 'alarm', key, at, detail, ...(before.length === 0 ? {} : { corrects: id }) };
  return { state: { ...state, notified }, events: [event] };
}

/** A device has been silent since `seenAt` (epoch ms): notified once for each silence. */
export function silentSince(
  state: RuleState,
  { offlineSeconds = 3_600 }: Params,
  seenAt: number,
  now: number,
): { readonly state: RuleState; readonly events: readonly AlarmEvent[] } {
  const at = seenAt + offlineSeconds * 1_000;
  const key = String(seenAt);
  if (at > now || state.notified?.at(-1)?.[0] === key) return { state, events: [] };
  return { state: { ...state, notified: [[key, 'offline']] }, events: [{ kind: 'alarm', key, at }] };
}

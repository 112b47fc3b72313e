import { isFinal } from '../contract/command.ts';
import type { Command } from './command.ts';
import { type Happening, type Outcome, transition } from './life.ts';

/** Something that happened to a command, and who or what says so. */
export interface Occurrence {
  readonly happening: Happening;
  /** epoch ms; by the gateway's clock where a gateway tells */
  readonly at: number;
  /** reason code of the history line */
  readonly reason: string;
  readonly actor: string;
  readonly answer?: { readonly text: string; readonly isHex: boolean };
  readonly ackBy?: 'device' | 'transport';
  readonly isStreamApplied?: boolean;
  readonly detail?: string;
  /** on a line that was dead: the attempt is given back, once a command */
  readonly isDeadLine?: boolean;
  /** for a reset: a new time to live */
  readonly ttlMs?: number;
}

/** A line for the history that is to be written. */
export interface HistoryEntry {
  readonly commandId: string;
  readonly tenantId: number;
  readonly at: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly reason: string;
  readonly actor: string;
}

export interface Change {
  /** the command as it is now; the very same object when nothing changed */
  readonly command: Command;
  readonly outcome: Outcome;
  readonly history: HistoryEntry | undefined;
}

/** Applies an occurrence to a command by the table of its life. Pure; `now` is the clock that expiry goes by. */
export function change(command: Command, occurrence: Occurrence, now: number): Change {
  const outcome = transition(
    {
      state: command.state,
      once: command.once,
      attempts: command.attempts,
      maxAttempts: command.maxAttempts,
      hasTime: command.expiresAt > now,
      isStreamApplied: occurrence.isStreamApplied ?? true,
    },
    occurrence.happening,
  );
  const line = (to: string | null): HistoryEntry => ({
    commandId: command.id,
    tenantId: command.tenantId,
    at: occurrence.at,
    from: command.state,
    to,
    reason: occurrence.reason,
    actor: occurrence.actor,
  });
  if (outcome.type === 'conflict') return { command, outcome, history: undefined };
  if (outcome.type === 'stay') return { command, outcome, history: outcome.recorded ? line(null) : undefined };
  return { command: become(command, outcome, occurrence, now), outcome, history: line(outcome.state) };
}

function become(
  command: Command,
  outcome: Extract<Outcome, { type: 'become' }>,
  occurrence: Occurrence,
  now: number,
): Command {
  const { state } = outcome;
  const isGivenBack = outcome.giveBackAttempt === true || (occurrence.isDeadLine === true && !command.givenBack);
  const ttlMs = occurrence.ttlMs ?? command.ttlMs;
  const common: Command = {
    ...command,
    state,
    attempts: outcome.renewed ? 0 : command.attempts - (isGivenBack && state === 'pending' ? 1 : 0),
    givenBack: outcome.renewed ? false : command.givenBack || occurrence.isDeadLine === true,
    mayHaveExecuted: command.mayHaveExecuted || outcome.mayHaveExecuted === true,
    deadline: null,
    detail: occurrence.detail ?? null,
  };
  if (state === 'sent') {
    return { ...common, sentAt: occurrence.at, deadline: occurrence.at + command.answerMs, reason: null };
  }
  if (state === 'pending') {
    if (!outcome.renewed) return { ...common, reason: occurrence.reason };
    const fresh = { answer: null, answerIsHex: false, ackBy: null, late: false, endedAt: null, acknowledgedAt: null };
    return { ...common, ...fresh, ttlMs, expiresAt: now + ttlMs, mayHaveExecuted: false, reason: null };
  }
  const { answer } = occurrence;
  return {
    ...common,
    reason: state === 'acknowledged' ? null : occurrence.reason,
    endedAt: isFinal(command.state) ? command.endedAt : occurrence.at,
    acknowledgedAt: state === 'acknowledged' ? occurrence.at : null,
    ackBy: state === 'acknowledged' ? (occurrence.ackBy ?? 'device') : null,
    // An answer says that it ran, or that it did not: nothing is left in doubt.
    mayHaveExecuted:
      occurrence.happening === 'answer' || occurrence.happening === 'refused' ? false : common.mayHaveExecuted,
    late: command.late || outcome.late === true,
    ...(answer === undefined ? {} : { answer: answer.text, answerIsHex: answer.isHex }),
  };
}

import { isFinal } from '../../../contract/command.ts';
import type { Command } from './command.ts';
import { type EventType, type Outcome, transition } from './state-machine.ts';

/** An event of a command, and its source. */
export interface StateEvent {
  readonly type: EventType;
  /** epoch ms, of the gateway's clock if a gateway reports the event */
  readonly at: number;
  /** reason code of the history line */
  readonly reason: string;
  readonly actor: string;
  readonly answer?: { readonly text: string; readonly isHex: boolean };
  readonly ackBy?: 'device' | 'transport';
  readonly isStreamApplied?: boolean;
  readonly isConnectionClosed?: boolean;
  readonly detail?: string;
  /** for a reset: a new time to live */
  readonly ttlMs?: number;
}

/** A new line of the history. */
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
  /** the changed command, or the same object if nothing changed */
  readonly command: Command;
  readonly outcome: Outcome;
  readonly history: HistoryEntry | undefined;
}

/**
 * Applies an event to a command by the state machine. Pure; `now` is the API's clock, which decides expiry.
 * `endsSession`: the device ends its session when it executes the command.
 */
export function change(command: Command, event: StateEvent, now: number, endsSession = false): Change {
  const outcome = transition(
    {
      state: command.state,
      once: command.once,
      attempts: command.attempts,
      maxAttempts: command.maxAttempts,
      hasTime: command.expiresAt > now,
      isStreamApplied: event.isStreamApplied ?? true,
      endsSession,
      isConnectionClosed: event.isConnectionClosed ?? false,
    },
    event.type,
  );
  const line = (to: string | null): HistoryEntry => ({
    commandId: command.id,
    tenantId: command.tenantId,
    at: event.at,
    from: command.state,
    to,
    reason: event.reason,
    actor: event.actor,
  });
  if (outcome.type === 'conflict') return { command, outcome, history: undefined };
  if (outcome.type === 'stay') return { command, outcome, history: outcome.recorded ? line(null) : undefined };
  return { command: become(command, outcome, event, now), outcome, history: line(outcome.state) };
}

function become(
  command: Command,
  outcome: Extract<Outcome, { type: 'become' }>,
  event: StateEvent,
  now: number,
): Command {
  const { state } = outcome;
  const ttlMs = event.ttlMs ?? command.ttlMs;
  const common: Command = {
    ...command,
    state,
    attempts: outcome.renewed ? 0 : command.attempts - (outcome.giveBackAttempt ? 1 : 0),
    mayHaveExecuted: command.mayHaveExecuted || outcome.mayHaveExecuted === true,
    deadline: null,
    detail: event.detail ?? null,
  };
  if (state === 'sent') {
    return { ...common, sentAt: event.at, deadline: event.at + command.answerMs, reason: null };
  }
  if (state === 'pending') {
    if (!outcome.renewed) return { ...common, reason: event.reason };
    const fresh = { answer: null, answerIsHex: false, ackBy: null, late: false, endedAt: null, acknowledgedAt: null };
    // A command that has been answered is not answered again; one without an answer may still be.
    const sentAt = command.answer === null ? command.sentAt : null;
    return { ...common, ...fresh, sentAt, ttlMs, expiresAt: now + ttlMs, mayHaveExecuted: false, reason: null };
  }
  const { answer } = event;
  return {
    ...common,
    reason: state === 'acknowledged' ? null : event.reason,
    endedAt: isFinal(command.state) ? command.endedAt : event.at,
    acknowledgedAt: state === 'acknowledged' ? event.at : null,
    ackBy: state === 'acknowledged' ? (outcome.byEndOfSession ? 'session-end' : (event.ackBy ?? 'device')) : null,
    // an answer or refusal tells whether the command was executed
    mayHaveExecuted: event.type === 'answer' || event.type === 'refused' ? false : common.mayHaveExecuted,
    late: command.late || outcome.late === true,
    ...(answer === undefined ? {} : { answer: answer.text, answerIsHex: answer.isHex }),
  };
}

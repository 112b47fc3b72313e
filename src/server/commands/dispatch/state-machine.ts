import type { CommandState } from '../../../contract/command.ts';

/**
 * The state machine of a command as one pure table. Events of gateways, the sweeper's findings and user requests all go
 * through `transition`.
 *
 * Two transitions are not in it, because they belong to the statement that selects the command under a lock: a new
 * command becomes `pending` (`command_of`), and a `pending` one becomes `sending` when it is claimed (`claim`). They
 * are in `../sql`, each written once.
 */

/** Events that a command can receive. */
export const eventTypes = [
  /** its bytes have been given to the socket */
  'written',
  /** the gateway could not and did not write it */
  'not-sent',
  /** the device answered */
  'answer',
  /** the device refused it */
  'refused',
  /** no answer within the answer time */
  'late',
  /** the session on which it was sent has ended */
  'session-ended',
  /** its time to live has ended */
  'deadline',
  'cancel',
  'cancel-by-force',
  'reset',
  'reset-by-force',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Inputs of a transition besides state and event. */
export interface CommandFacts {
  readonly state: CommandState;
  /** `at_most_once` */
  readonly once: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** its time to live has not ended */
  readonly hasTime: boolean;
  /**
   * The gateway's event stream has been applied up to now, so `sending` is known to mean that nothing was written (the
   * gateway spools `sent` before it writes).
   */
  readonly isStreamApplied: boolean;
  /** the device ends its session when it executes the command: restart, firmware update, factory reset */
  readonly endsSession: boolean;
  /** the connection that it was sent on is known to be closed, rather than only given up */
  readonly isConnectionClosed: boolean;
}

export type Outcome =
  /** nothing changes; the event is recorded in the history if `recorded` is set */
  | { readonly type: 'stay'; readonly recorded: boolean }
  /** the user request is not possible in this state */
  | { readonly type: 'conflict'; readonly code: 'command-in-flight' | 'already-final' | 'at-most-once' }
  | {
      readonly type: 'become';
      readonly state: CommandState;
      /** the attempt did not count: nothing can have reached the device */
      readonly giveBackAttempt?: true;
      /** the end of the session shows that the device executed it */
      readonly byEndOfSession?: true;
      /** bytes may have left although the state does not say so */
      readonly mayHaveExecuted?: true;
      /** an answer after the command had been given up */
      readonly late?: true;
      /** attempts and time to live start again */
      readonly renewed?: true;
    };

type Rule = (facts: CommandFacts) => Outcome;

const stay: Rule = () => ({ type: 'stay', recorded: false });
const record: Rule = () => ({ type: 'stay', recorded: true });
const conflict =
  (code: 'command-in-flight' | 'already-final' | 'at-most-once'): Rule =>
  () => ({ type: 'conflict', code });
const become =
  (state: CommandState, more: Omit<Extract<Outcome, { type: 'become' }>, 'type' | 'state'> = {}): Rule =>
  () => ({ type: 'become', state, ...more });

const outOfTime = become('expired', { mayHaveExecuted: true });
const uncertain = become('unknown', { mayHaveExecuted: true });

/**
 * Bytes may have been sent, and there is no answer. A command that is sent at most once, or that ends the session, is
 * not sent again; others are retried while attempts and time are left.
 */
const unanswered: Rule = (facts) => {
  if (facts.once || facts.endsSession) return uncertain(facts);
  if (!facts.hasTime) return outOfTime(facts);
  return facts.attempts < facts.maxAttempts
    ? become('pending')(facts)
    : become('failed', { mayHaveExecuted: true })(facts);
};

const sentSessionEnded: Rule = (facts) =>
  facts.endsSession && facts.isConnectionClosed
    ? become('acknowledged', { byEndOfSession: true })(facts)
    : unanswered(facts);

const sendingSessionEnded: Rule = (facts) => {
  if (!facts.isStreamApplied) return unanswered(facts);
  return facts.hasTime ? become('pending', { giveBackAttempt: true })(facts) : become('expired')(facts);
};

/** Pending again, with new attempts and a new time to live. */
const rearm = become('pending', { renewed: true });
const rearmUnlessOnce: Rule = (facts) => (facts.once ? conflict('at-most-once')(facts) : rearm(facts));

/** Bytes may have been sent in each of these states; only an expired command that was never claimed has no attempt. */
const rearmEnded: Rule = (facts) => (facts.once && facts.attempts > 0 ? conflict('at-most-once')(facts) : rearm(facts));

/** An answer belongs to an earlier attempt: the outcome is known, and the command is not sent again. */
const pending: Record<EventType, Rule> = {
  written: stay,
  'not-sent': stay,
  answer: become('acknowledged', { late: true }),
  refused: become('failed', { late: true }),
  late: stay,
  'session-ended': stay,
  deadline: become('expired'),
  cancel: become('cancelled'),
  'cancel-by-force': become('cancelled'),
  reset: stay,
  'reset-by-force': stay,
};

const sending: Record<EventType, Rule> = {
  written: become('sent'),
  'not-sent': (facts) =>
    facts.hasTime ? become('pending', { giveBackAttempt: true })(facts) : become('expired')(facts),
  answer: become('acknowledged'),
  refused: become('failed'),
  late: unanswered,
  'session-ended': sendingSessionEnded,
  deadline: stay,
  cancel: conflict('command-in-flight'),
  'cancel-by-force': become('cancelled', { mayHaveExecuted: true }),
  reset: stay,
  'reset-by-force': stay,
};

const sent: Record<EventType, Rule> = {
  written: stay,
  'not-sent': stay,
  answer: become('acknowledged'),
  refused: become('failed'),
  late: unanswered,
  'session-ended': sentSessionEnded,
  deadline: stay,
  cancel: conflict('command-in-flight'),
  'cancel-by-force': become('cancelled', { mayHaveExecuted: true }),
  reset: rearmUnlessOnce,
  'reset-by-force': rearm,
};

const final = conflict('already-final');

const acknowledged: Record<EventType, Rule> = {
  written: stay,
  'not-sent': stay,
  answer: record,
  refused: record,
  late: stay,
  'session-ended': stay,
  deadline: stay,
  cancel: final,
  'cancel-by-force': final,
  reset: final,
  'reset-by-force': final,
};

/** A late answer still shows what the device did. */
const ended: Record<EventType, Rule> = {
  ...acknowledged,
  answer: become('acknowledged', { late: true }),
  refused: become('failed', { late: true }),
  reset: rearmEnded,
  'reset-by-force': rearm,
};

const table: Record<CommandState, Record<EventType, Rule>> = {
  pending,
  sending,
  sent,
  acknowledged,
  failed: ended,
  expired: ended,
  unknown: ended,
  cancelled: { ...ended, reset: final, 'reset-by-force': final },
};

/** The outcome of an event for a command. Pure. */
export function transition(facts: CommandFacts, eventType: EventType): Outcome {
  return table[facts.state][eventType](facts);
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommandState, isFinal, states } from '../../../src/contract/command.ts';
import {
  type CommandFacts,
  type EventType,
  eventTypes,
  type Outcome,
  transition,
} from '../../../src/server/commands/dispatch/state-machine.ts';

const facts = (state: CommandState, over: Partial<CommandFacts> = {}): CommandFacts => ({
  state,
  once: false,
  attempts: 1,
  maxAttempts: 3,
  hasTime: true,
  isStreamApplied: true,
  endsSession: false,
  isConnectionClosed: true,
  ...over,
});

const NO_EFFECT = '–';

/** How an outcome reads in the table of the design. */
function text(outcome: Outcome): string {
  if (outcome.type === 'conflict') return outcome.code;
  if (outcome.type === 'stay') return outcome.recorded ? 'recorded' : NO_EFFECT;
  const { state, giveBackAttempt, mayHaveExecuted, late } = outcome;
  return [state, giveBackAttempt && 'given back', mayHaveExecuted && 'may have executed', late && 'late']
    .filter(Boolean)
    .join(', ');
}

/** Outcome of each event that has one. */
type Effects = Readonly<Partial<Record<EventType, string>>>;

function effectsOf(state: CommandState, over: Partial<CommandFacts> = {}): Effects {
  const outcomes = eventTypes.map((event) => [event, text(transition(facts(state, over), event))] as const);
  return Object.fromEntries(outcomes.filter(([, outcome]) => outcome !== NO_EFFECT));
}

const SENT_LATE = 'unknown, may have executed';

describe('the states of a command', () => {
  it.each<[CommandState, Partial<CommandFacts>, Effects]>([
    [
      'pending',
      {},
      {
        answer: 'acknowledged, late',
        refused: 'failed, late',
        deadline: 'expired',
        cancel: 'cancelled',
        'cancel-by-force': 'cancelled',
      },
    ],
    [
      'sending',
      {},
      {
        written: 'sent',
        'not-sent': 'pending, given back',
        answer: 'acknowledged',
        refused: 'failed',
        late: 'pending',
        'session-ended': 'pending, given back',
        cancel: 'command-in-flight',
        'cancel-by-force': 'cancelled, may have executed',
      },
    ],
    [
      'sending',
      { isStreamApplied: false },
      {
        written: 'sent',
        'not-sent': 'pending, given back',
        answer: 'acknowledged',
        refused: 'failed',
        late: 'pending',
        'session-ended': 'pending',
        cancel: 'command-in-flight',
        'cancel-by-force': 'cancelled, may have executed',
      },
    ],
    [
      'sending',
      { isStreamApplied: false, once: true },
      {
        written: 'sent',
        'not-sent': 'pending, given back',
        answer: 'acknowledged',
        refused: 'failed',
        late: SENT_LATE,
        'session-ended': SENT_LATE,
        cancel: 'command-in-flight',
        'cancel-by-force': 'cancelled, may have executed',
      },
    ],
    [
      'sent',
      {},
      {
        answer: 'acknowledged',
        refused: 'failed',
        late: 'pending',
        'session-ended': 'pending',
        cancel: 'command-in-flight',
        'cancel-by-force': 'cancelled, may have executed',
        reset: 'pending',
        'reset-by-force': 'pending',
      },
    ],
    [
      'sent',
      { once: true },
      {
        answer: 'acknowledged',
        refused: 'failed',
        late: SENT_LATE,
        'session-ended': SENT_LATE,
        cancel: 'command-in-flight',
        'cancel-by-force': 'cancelled, may have executed',
        reset: 'at-most-once',
        'reset-by-force': 'pending',
      },
    ],
    [
      'acknowledged',
      {},
      {
        answer: 'recorded',
        refused: 'recorded',
        cancel: 'already-final',
        'cancel-by-force': 'already-final',
        reset: 'already-final',
        'reset-by-force': 'already-final',
      },
    ],
    [
      'failed',
      {},
      {
        answer: 'acknowledged, late',
        refused: 'failed, late',
        cancel: 'already-final',
        'cancel-by-force': 'already-final',
        reset: 'pending',
        'reset-by-force': 'pending',
      },
    ],
    [
      'expired',
      { once: true },
      {
        answer: 'acknowledged, late',
        refused: 'failed, late',
        cancel: 'already-final',
        'cancel-by-force': 'already-final',
        reset: 'at-most-once',
        'reset-by-force': 'pending',
      },
    ],
    [
      'expired',
      { once: true, attempts: 0 },
      {
        answer: 'acknowledged, late',
        refused: 'failed, late',
        cancel: 'already-final',
        'cancel-by-force': 'already-final',
        reset: 'pending',
        'reset-by-force': 'pending',
      },
    ],
    [
      'unknown',
      { once: true },
      {
        answer: 'acknowledged, late',
        refused: 'failed, late',
        cancel: 'already-final',
        'cancel-by-force': 'already-final',
        reset: 'at-most-once',
        'reset-by-force': 'pending',
      },
    ],
    [
      'cancelled',
      {},
      {
        answer: 'acknowledged, late',
        refused: 'failed, late',
        cancel: 'already-final',
        'cancel-by-force': 'already-final',
        reset: 'already-final',
        'reset-by-force': 'already-final',
      },
    ],
  ])('%s %j', (state, over, expected) => {
    expect(effectsOf(state, over)).toEqual(expected);
  });

  it('ends a late command that may not be tried again', () => {
    expect(text(transition(facts('sent', { attempts: 3 }), 'late'))).toBe('failed, may have executed');
    expect(text(transition(facts('sent', { hasTime: false }), 'late'))).toBe('expired, may have executed');
  });

  const anyFacts = fc.record({
    state: fc.constantFrom(...states),
    once: fc.boolean(),
    attempts: fc.nat(4),
    maxAttempts: fc.integer({ min: 1, max: 4 }),
    hasTime: fc.boolean(),
    isStreamApplied: fc.boolean(),
    endsSession: fc.boolean(),
    isConnectionClosed: fc.boolean(),
  });

  it('counts a command that was sent in a session that has ended as an attempt', () => {
    const ended = (over: Partial<CommandFacts>) => text(transition(facts('sent', over), 'session-ended'));
    expect(ended({ attempts: 2 })).toBe('pending');
    expect(ended({ attempts: 3 })).toBe('failed, may have executed');
    expect(ended({ hasTime: false })).toBe('expired, may have executed');
    const sending = facts('sending', { attempts: 3, isStreamApplied: false });
    expect(text(transition(sending, 'session-ended'))).toBe('failed, may have executed');
  });

  it('never repeats a command that ends the session', () => {
    const event = (over: Partial<CommandFacts>, type: EventType) =>
      text(transition(facts('sent', { endsSession: true, ...over }), type));
    expect(event({}, 'session-ended')).toBe('acknowledged');
    expect(event({ once: true }, 'session-ended')).toBe('acknowledged');
    expect(event({ isConnectionClosed: false }, 'session-ended')).toBe(SENT_LATE);
    expect(event({}, 'late')).toBe(SENT_LATE);
  });

  it('never resends a command that may run only once after its bytes may have been sent', () => {
    const byItself = eventTypes.filter((h) => !h.startsWith('reset'));
    fc.assert(
      fc.property(anyFacts, fc.constantFrom<EventType>(...byItself), (f, event) => {
        const outcome = transition({ ...f, once: true }, event);
        const mayHaveLeft = f.state === 'sent' || (f.state === 'sending' && !f.isStreamApplied && event !== 'not-sent');
        if (mayHaveLeft && outcome.type === 'become') expect(outcome.state).not.toBe('pending');
      }),
    );
  });

  it('never leaves an ended command but by an answer or a reset', () => {
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...eventTypes), (f, event) => {
        const outcome = transition(f, event);
        if (!isFinal(f.state) || outcome.type !== 'become') return;
        if (!isFinal(outcome.state)) expect(event).toMatch(/^reset/);
        else expect(['answer', 'refused']).toContain(event);
      }),
    );
  });

  it('lets nothing become acknowledged without an answer or the end of a session that it ends', () => {
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...eventTypes), (f, event) => {
        const outcome = transition(f, event);
        if (outcome.type !== 'become' || outcome.state !== 'acknowledged') return;
        if (outcome.byEndOfSession) expect([event, f.endsSession]).toEqual(['session-ended', true]);
        else expect(event).toBe('answer');
      }),
    );
  });
});

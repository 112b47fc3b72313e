import { isFinal } from '../../../../src/contract/command.ts';
import type { Operation } from './operations.ts';
import { isRestart, type Row, type Run } from './run.ts';

export interface Observed {
  readonly run: Run;
  readonly before: readonly Row[];
  readonly after: readonly Row[];
  readonly operation: Operation;
  /** gateway → up to when its events have been applied */
  readonly cursor: ReadonlyMap<string, number>;
}

/** Throws if a promise of dispatch is broken. */
export function check(observed: Observed): void {
  const broken = [answers, attempts, reports, order, deadlines, ends].flatMap((rule) => rule(observed));
  if (broken.length > 0) throw new Error(broken.join('\n'));
}

type Rule = (observed: Observed) => string[];

/** An answer belongs to its own command or to none. */
const answers: Rule = ({ after, run }) =>
  after.flatMap(({ id, answer, state, ackBy }) => [
    ...(answer !== null && answer !== id ? [`${id} has the answer of ${answer}`] : []),
    ...(state === 'acknowledged' && ackBy === 'device' && answer === null ? [`${id} is acknowledged by nothing`] : []),
    ...(ackBy === 'transport' && run.device.kind.protocol.correlation !== 'none'
      ? [`${id} is acknowledged by transport`]
      : []),
  ]);

/** Bytes leave at most once where that was asked, and at most so many times as there are attempts, per arming. */
const attempts: Rule = ({ run }) =>
  [...run.left].flatMap(([key, count]) => {
    const { once, maxAttempts, params } = run.requested(key.split('/')[0]!);
    const most = once || isRestart(params) ? 1 : maxAttempts;
    return count > most ? [`${key} left ${count} times of ${most}`] : [];
  });

/** A gateway that has nothing left to read and to report has reported what became of each delivery. */
const reports: Rule = ({ operation, run, after }) => {
  if (operation.type !== 'exchange') return [];
  const idle = new Set(run.gateways.filter(({ isIdle }) => isIdle).map(({ name }) => name));
  return after
    .filter(({ state, gateway }) => state === 'sending' && idle.has(gateway ?? ''))
    .map(({ id, deliveries }) => `${id}: nothing became of delivery ${deliveries}`);
};

/** What is delivered comes before everything that waited before and waits still. */
const order: Rule = ({ run, before, after }) => {
  const now = new Map(after.map((row) => [row.id, row]));
  const waiting = before.filter((row) => {
    const later = now.get(row.id)!;
    return (
      row.state === 'pending' && later.state === 'pending' && later.conn === row.conn && row.expiresAt > Date.now()
    );
  });
  return run.fresh.flatMap(({ commandId }) => {
    const { priority, seq } = now.get(commandId)!;
    return waiting
      .filter((row) => row.priority < priority || (row.priority === priority && row.seq < seq))
      .map((row) => `${commandId} was delivered before ${row.id}`);
  });
};

/** After a sweep nothing is open past a deadline that can be judged. */
const deadlines: Rule = ({ operation, after, cursor }) => {
  if (operation.type !== 'sweep') return [];
  const now = Date.now() - 100;
  return after.flatMap((row) => {
    const { id, state, deadline, gateway, expiresAt } = row;
    if (state === 'pending') return expiresAt < now ? [`${id} is pending past its time`] : [];
    if (isFinal(state)) return [];
    if (deadline === null) return [`${id} is ${state} without a deadline`];
    const isJudged = deadline < now && (cursor.get(gateway ?? '') ?? 0) >= deadline;
    return isJudged ? [`${id} is ${state} past its deadline`] : [];
  });
};

/** One is in flight at most; what has ended has an end. */
const ends: Rule = ({ after }) => [
  ...(after.filter(({ state }) => state === 'sending' || state === 'sent').length > 1 ? ['two are in flight'] : []),
  ...after.flatMap(({ id, state, endedAt }) =>
    isFinal(state) === (endedAt !== null) ? [] : [`${id} is ${state} and ended at ${endedAt}`],
  ),
];

import { UnrecoverableError } from 'bullmq';
import { isFinal } from '../../../../contract/command.ts';
import type { Command } from '../command.ts';

/** Ids of jobs are those of their commands. */
export const QUEUE_NAME = 'gprs-commands';

/** Members of a command that a dashboard shows beside its state. */
export interface JobData {
  readonly imei: string;
  /** as in the request */
  readonly command: string;
  readonly priority: number;
  readonly delivery: 'at_most_once' | 'at_least_once';
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly createdBy: string;
}

/** The members of a command that its job shows. */
export type JobSource = Pick<
  Command,
  | 'id'
  | 'imei'
  | 'type'
  | 'text'
  | 'priority'
  | 'once'
  | 'createdAt'
  | 'createdBy'
  | 'expiresAt'
  | 'endedAt'
  | 'state'
  | 'answer'
  | 'reason'
  | 'detail'
  | 'mayHaveExecuted'
>;

/** The state of a command's job: parked while the command is open, completed or failed as it ended. */
export type JobOutcome =
  | { readonly type: 'parked' }
  | { readonly type: 'completed'; readonly answer: string | null }
  | { readonly type: 'failed'; readonly reason: string };

/** Pure: the job is computed from the row alone, so it can be rebuilt at any time. */
export function outcomeOf(command: JobSource): JobOutcome {
  if (!isFinal(command.state)) return { type: 'parked' };
  if (command.state === 'acknowledged') return { type: 'completed', answer: command.answer };
  const reasons = [command.reason, command.detail].filter((reason) => reason !== null);
  const explanation = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
  const doubt = command.mayHaveExecuted ? ' (it may have run)' : '';
  return { type: 'failed', reason: `${command.state}${explanation}${doubt}` };
}

/** Time for the sweeper to handle a deadline before the queue reads the row again. */
const AFTER_DEADLINE_MS = 2_000;
const AGAIN_MS = 5_000;

/** Epoch ms until which a job is parked: after the end of the command's time, and always in the future. */
export const parkedUntil = (command: JobSource, now: number): number =>
  Math.max(command.expiresAt + AFTER_DEADLINE_MS, now + AGAIN_MS);

export interface NewJob {
  readonly name: string;
  readonly data: JobData;
  readonly timestamp: number;
  readonly opts: { readonly jobId: string; readonly delay: number; readonly stackTraceLimit: 0 };
}

/** The new job of a command. A worker ends the job of an ended command at once. */
export function jobOf(command: JobSource, now: number): NewJob {
  const data: JobData = {
    imei: command.imei,
    command: command.text,
    priority: command.priority,
    delivery: command.once ? 'at_most_once' : 'at_least_once',
    createdAt: new Date(command.createdAt).toISOString(),
    expiresAt: new Date(command.expiresAt).toISOString(),
    createdBy: command.createdBy,
  };
  const delay = isFinal(command.state) ? 0 : parkedUntil(command, now) - now;
  return {
    name: command.type,
    data,
    timestamp: now,
    opts: { jobId: command.id, delay, stackTraceLimit: 0 },
  };
}

/** Error that ends a job as failed, without another attempt by the queue. */
export const failure = (reason: string): Error => new UnrecoverableError(reason);

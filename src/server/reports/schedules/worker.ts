import type pg from 'pg';
import { receiverPauseS } from '../../../platform/backoff.ts';
import type { Clock } from '../../../platform/clock.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import type { Log } from '../../../platform/log.ts';
import type { Mail } from '../../../platform/mail.ts';
import { createPollLoop, type PollLoop } from '../../../platform/poll-loop.ts';
import { transaction } from '../../database/index.ts';
import { MEDIA_TYPES } from '../../documents/report.ts';
import { whileLeased } from '../../kernel/jobs/index.ts';
import { type Ask, Refused } from './ask.ts';
import { daysOf, nextDue } from './calendar.ts';
import { makeDocument } from './contents/index.ts';
import { labelsOf } from './contents/labels.ts';
import { newId } from './routes.ts';
import * as store from './store.ts';

export interface WorkerDeps {
  /** with the role that may read all tenants */
  readonly ingest: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  /** undefined: SMTP_URL is not set */
  readonly sendMail: ((mail: Mail) => Promise<void>) | undefined;
  /** Operations with the permissions of the owner; undefined if the owner may no longer log in. */
  readonly askAs: (owner: Owner) => Promise<Ask | undefined>;
  readonly mostRows: number;
}

export interface Owner {
  readonly tenantId: number;
  readonly tenant: string;
  readonly kind: 'user' | 'key';
  readonly id: string;
}

const EVERY_MS = 30_000;
/** Renewed while the report is made; if the process dies, another one makes the report after this time. */
const LEASE_MS = 2 * MINUTE_MS;
const ATTEMPTS = 8;
const KEPT_RUNS = 100;
const AT_ONCE = 20;

/** Errors that another attempt would meet again. */
class Final extends Error {}

/** Adds due runs and sends them, one report at a time. */
export function createWorker(deps: WorkerDeps): PollLoop {
  const { ingest, clock, log } = deps;
  return createPollLoop({
    everyMs: EVERY_MS,
    async round() {
      await enterDue(ingest, clock.now());
      const claimed = await store.claimRun(ingest, LEASE_MS);
      if (claimed === undefined) return false;
      await work(claimed, deps);
      return true;
    },
    onError: (error) => log.warn({ reason: error.message }, 'scheduled reports wait'),
  });
}

/** Reports that were missed while the server was stopped are sent once. */
const enterDue = (ingest: pg.Pool, now: number): Promise<void> =>
  transaction(ingest, async (tx) => {
    for (const due of await store.lockDue(tx, now, AT_ONCE)) {
      const made = { id: newId('rpr', now), ...daysOf(due, due.nextAt), nextAt: nextDue(due, now) };
      await store.enterRun(tx, due, made, KEPT_RUNS);
    }
  });

async function work(claimed: store.Claimed, deps: WorkerDeps): Promise<void> {
  const { ingest, log } = deps;
  const { run, schedule } = claimed;
  const end = await whileLeased(
    LEASE_MS,
    () => store.renewRun(ingest, claimed, LEASE_MS),
    (lost) => endOf(claimed, deps, lost),
  );
  if (!(await store.endRun(ingest, claimed, end))) {
    log.warn({ report: schedule.id, run: run.id }, 'a report was claimed by another process before it ended');
  }
}

async function endOf(claimed: store.Claimed, deps: WorkerDeps, lost: AbortSignal): Promise<store.RunEnd> {
  const { run, schedule } = claimed;
  try {
    return { state: 'sent', bytes: await send(claimed, deps, lost) };
  } catch (error) {
    const problem = (error as Error).message.slice(0, 500);
    const isLast = isFinal(error as Error) || run.attempts >= ATTEMPTS;
    deps.log.warn({ report: schedule.id, run: run.id, reason: problem, isLast }, 'a report has not been sent');
    return isLast ? { state: 'failed', problem } : { state: 'waiting', problem, pauseS: receiverPauseS(run.attempts) };
  }
}

/** Permissions are missing, or the mail server refuses permanently (RFC 5321: 5yz). */
function isFinal(error: Error): boolean {
  if (error instanceof Final) return true;
  if (error instanceof Refused) return error.status < 500 && error.status !== 429;
  return Number((error as { responseCode?: number }).responseCode ?? 0) >= 500;
}

/** Bytes of the document. */
async function send(
  { run, schedule, tenantId, tenant }: store.Claimed,
  deps: WorkerDeps,
  lost: AbortSignal,
): Promise<number> {
  const { sendMail, askAs, mostRows } = deps;
  if (sendMail === undefined) throw new Final('SMTP_URL is not set: no e-mail can be sent');
  const ask = await askAs({ tenantId, tenant, kind: schedule.ownerKind, id: schedule.ownerId });
  if (ask === undefined) throw new Final('The owner of the report may no longer log in');
  const { kind, format, language, zone, vehicles, name, recipients } = schedule;
  const words = labelsOf(language);
  const { from, to } = run;
  const content = await makeDocument(kind, format, { ask, from, to, zone, language, words, vehicles, mostRows });
  const filename = `${kind}_${from}_${to}.${format}`;
  lost.throwIfAborted();
  await sendMail({
    to: recipients.join(', '),
    subject: `${name}: ${words[kind]}, ${from} – ${to}`,
    text: [
      `${words[kind]}, ${words.period} ${from} – ${to}, ${words.zone} ${zone}`,
      words.attached,
      `Fleetgate, ${tenant}`,
    ].join('\n\n'),
    // the same for each attempt, so that mail servers recognize duplicates
    messageId: `<${run.id}@fleetgate>`,
    attachments: [{ filename, content, contentType: MEDIA_TYPES[format] }],
  });
  return content.length;
}

import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { MINUTE_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop } from '../../../platform/poll-loop.ts';
import { whileLeased } from '../../kernel/jobs/index.ts';
import type { Files, Outcome } from '../files/service.ts';
import * as store from './store.ts';

/** Command that devices with remote download take. */
export const REQUEST_COMMAND = 'requestTachographFile';

/** Enqueues the command for a device; id of the command. Throws AppError, such as `unsupported-by-protocol`. */
export type RequestFile = (request: {
  readonly tenantId: number;
  readonly imei: string;
  readonly type: typeof REQUEST_COMMAND;
  readonly ttlSeconds: number;
}) => Promise<string>;

/** Requests tachograph files from devices when they are due, and archives what devices send. */
export interface RemoteDownloads {
  /** Requests a file now, unless a request is open. Throws AppError `conflict`. */
  request(tenantId: number, id: string): Promise<void>;
  /** One round: files that have come, requests that have failed, requests that are due. */
  run(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface RemoteDeps {
  readonly ingest: pg.Pool;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  /** without it nothing is requested; what devices send is archived all the same */
  readonly requestFile: RequestFile | undefined;
  /** pause between two rounds, ms */
  readonly everyMs: number;
  /** longest wait for a file after the command was sent, ms */
  readonly timeoutMs: number;
  /** pause after a failed request, ms */
  readonly retryMs: number;
}

/** A device that is offline receives the command when it connects. */
const TTL_SECONDS = 86_400;
const REQUESTS_PER_ROUND = 50;
const FIRST_AFTER_MS = 5_000;
/** Renewed while a file is archived; if the process dies, another one archives it after this time. */
const LEASE_MS = 2 * MINUTE_MS;
/** pause after a file that could not be archived */
const RETRY_MS = 10 * MINUTE_MS;

export function createRemoteDownloads(deps: RemoteDeps): RemoteDownloads {
  const { ingest, clock, log, requestFile, timeoutMs, retryMs } = deps;
  const begin = async (claimed: readonly store.Claimed[]): Promise<void> => {
    for (const each of claimed) {
      const problem = await requestOf(deps, each);
      if (problem !== undefined) await store.failRequest(ingest, each.id, problem, clock.now());
    }
  };
  const limits = () => ({ now: clock.now(), retryMs, limit: REQUESTS_PER_ROUND });
  const loop = createPollLoop({
    everyMs: deps.everyMs,
    firstAfterMs: FIRST_AFTER_MS,
    async round() {
      const more = await archiveNext(deps);
      if (more) return true;
      await store.failLate(ingest, { now: clock.now(), timeoutMs });
      if (requestFile === undefined) return false;
      const claimed = await store.claimDue(ingest, limits());
      await begin(claimed);
      return claimed.length === REQUESTS_PER_ROUND;
    },
    onError: (error) => log.warn({ reason: error.message }, 'remote downloads of tachographs failed'),
  });
  return {
    async request(tenantId, id) {
      const claimed = requestFile === undefined ? [] : await store.claimDue(ingest, limits(), { tenantId, id });
      if (claimed.length === 0) throw new AppError('conflict', 'A request is open, or devices cannot be reached');
      await begin(claimed);
    },
    run: () => loop.run(),
    start: () => loop.start(),
    stop: () => loop.stop(),
  };
}

/** Why there is no request; undefined if a command is on its way. */
async function requestOf(
  { ingest, requestFile }: RemoteDeps,
  { id, tenantId, imeis }: store.Claimed,
): Promise<string | undefined> {
  let problem = 'no-device';
  for (const imei of imeis) {
    try {
      const commandId = await requestFile!({ tenantId, imei, type: REQUEST_COMMAND, ttlSeconds: TTL_SECONDS });
      await store.noteCommand(ingest, id, { imei, commandId });
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      problem = error.code;
    }
  }
  return problem;
}

/** Archives a file that a device has sent; false if there is none. */
async function archiveNext(deps: RemoteDeps): Promise<boolean> {
  const { ingest } = deps;
  let file = await store.claimDeviceFile(ingest, LEASE_MS);
  if (file === undefined) {
    await store.enterDeviceFiles(ingest);
    file = await store.claimDeviceFile(ingest, LEASE_MS);
  }
  if (file === undefined) return false;
  const claimed = file;
  const renew = (): Promise<boolean> => store.renewDeviceFile(ingest, claimed, LEASE_MS);
  try {
    const archived = await whileLeased(LEASE_MS, renew, () => archive(deps, claimed));
    if (archived === undefined) await store.removeDeviceFile(ingest, claimed);
    // last: a process that ends before archives it once more, and finds it there
    else await store.noteArchived(ingest, claimed, archived, deps.clock.now());
  } catch (error) {
    await store.postponeDeviceFile(ingest, claimed, RETRY_MS).catch(() => {});
    throw error;
  }
  return true;
}

/** Undefined if the device has begun to send the file again. */
async function archive(
  { ingest, files, clock, log }: RemoteDeps,
  file: store.DeviceFile,
): Promise<store.ArchivedAs | undefined> {
  const { tenantId, imei, name } = file;
  const bytes = await store.readDeviceFile(ingest, file);
  if (bytes === undefined) return undefined;
  const outcomes = await files.addAll(tenantId, `device:${imei}`, [{ name, bytes: async () => bytes }]);
  for (const outcome of outcomes) {
    if ('problem' in outcome) {
      const { code } = outcome.problem;
      await store.failRequestsOf(ingest, { tenantId, imei }, code, clock.now());
      log.warn({ imei, code }, 'a tachograph file of a device was rejected');
      continue;
    }
    const { row } = outcome;
    const { driverId, plate, kind, isIncomplete } = row;
    const error = isIncomplete ? 'incomplete-file' : null;
    const isUnit = kind === 'vehicle-unit';
    const whose = { driverId: isUnit ? null : driverId, plate: isUnit ? plate : null, fileId: row.id, error };
    await store.noteReceived(ingest, tenantId, whose, clock.now());
  }
  return { ...summaryOf(outcomes), sha256: createHash('sha256').update(bytes).digest() };
}

/** Of an archive of several downloads: rejected where one of them was. */
function summaryOf(outcomes: readonly Outcome[]): Pick<store.ArchivedAs, 'outcome' | 'code' | 'fileId'> {
  const problem = outcomes.find((outcome) => 'problem' in outcome)?.problem;
  const stored = outcomes.flatMap((outcome) => ('row' in outcome ? [outcome] : []));
  const fileId = stored.at(-1)?.row.id;
  if (problem !== undefined || fileId === undefined) {
    return { outcome: 'rejected', code: problem?.code ?? 'not-a-ddd', fileId };
  }
  return { outcome: stored.every(({ isDuplicate }) => isDuplicate) ? 'duplicate' : 'stored', fileId };
}

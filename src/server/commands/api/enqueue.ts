import type pg from 'pg';
import type { CommandStatus, Enqueued, NewCommand } from '../../../contract/command.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { restrictedUser } from '../../../platform/restriction.ts';
import type { Directory } from '../../devices/directory/index.ts';
import { auditNote, type RequestNote } from './audit-note.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import { commandIdFrom, newCommandId, type Seed } from './ids.ts';
import type { Lookups } from './lookups.ts';
import { type CheckedCommandRequest, checkCommandRequest, planCommand } from './plan.ts';
import type { CommandRequest, EnqueueRequest } from './schema.ts';
import { findOpenDuplicate, findStored, findTargets } from './store.ts';
import { createTargets, type Target } from './target.ts';

/** The requester and its scopes. */
export interface Caller {
  readonly tenantId: number;
  /** as in `createdBy` and in the history */
  readonly actor: string;
  readonly scopes: ReadonlySet<string>;
}

/** A repeatable request: the same seed gives the same command ids. */
export interface Repeat {
  readonly seed: Seed;
  readonly isResumed: boolean;
}

export interface EnqueueDeps {
  readonly lookups: Lookups;
  readonly app: pg.Pool;
  readonly directory: Directory;
  readonly dispatcher: CommandDispatcher;
  readonly knowledge: CommandKnowledge;
  readonly clock: Clock;
  readonly autoRegister: boolean;
  readonly defaultTenantId: number;
  /** Throws AppError `private-address` for URLs that the server may not call. */
  readonly checkUrl: (url: string) => Promise<void>;
}

/** A checked command request with the id of its command. */
export interface PreparedCommand {
  readonly id: string;
  /**
   * Stores the command and returns its status; undefined if it had been stored before. Throws AppError
   * `unknown-device`, `unsupported-by-protocol`, `bad-parameters`, `missing-scope`, `duplicate-pending`,
   * `device-queue-full`.
   */
  readonly store: () => Promise<CommandStatus | undefined>;
}

export interface EnqueueService {
  /** Throws AppError `invalid`, `command-too-long`, `ttl-out-of-range`, `private-address`. */
  prepare(
    caller: Caller,
    request: EnqueueRequest,
    context?: { readonly repeat?: Repeat | undefined; readonly note?: RequestNote | undefined },
  ): Promise<PreparedCommand>;
}

export function createEnqueueService(deps: EnqueueDeps): EnqueueService {
  const { app, dispatcher, clock, lookups } = deps;
  const targets = createTargets();
  /**
   * Stores the command as planned with the cached target, whose versions the database compares; undefined if the target
   * is outdated.
   */
  const attempt = async (plan: () => NewCommand, known: Target): Promise<CommandStatus | undefined> => {
    let planned: NewCommand;
    try {
      planned = plan();
    } catch {
      // the cached target may be the cause of the error
      return undefined;
    }
    const { deviceVersion, settingVersion, sessionProtocol: protocol } = known;
    const outcome = await dispatcher.enqueue({ ...planned, plannedBy: { deviceVersion, settingVersion, protocol } });
    return outcome.type === 'outdated' ? undefined : demandQueued(app, planned, outcome);
  };
  return {
    async prepare(caller, { imei, ...commandRequest }, { repeat, note } = {}) {
      const { tenantId, actor } = caller;
      const checked = await checkShared(commandRequest, deps);
      const id = repeat === undefined ? newCommandId(clock.now()) : commandIdFrom(repeat.seed, imei);
      const plan = (target: Target): NewCommand => {
        const planned = planCommand(checked, target, { ...deps, scopes: caller.scopes, now: clock.now() });
        return { ...planned, id, tenantId, createdBy: actor, note: auditNote(note, imei, planned) };
      };
      const store = async (): Promise<CommandStatus | undefined> => {
        if (repeat?.isResumed && (await findStored(app, tenantId, [id])).has(id)) return undefined;
        const known = targets.get(tenantId, imei);
        const status = known === undefined ? undefined : await attempt(() => plan(known), known);
        if (status !== undefined) return status;
        const target =
          (await lookups.target(tenantId, imei)) ?? (await resolveTargets(deps, tenantId, [imei])).get(imei);
        if (target === undefined) throw unknownDevice(imei);
        targets.put(tenantId, target);
        const planned = plan(target);
        return demandQueued(app, planned, await dispatcher.enqueue(planned));
      };
      return { id, store };
    },
  };
}

/** The status of a stored command. Throws AppError `duplicate-pending`, which names the open command, and `device-queue-full`. */
export async function demandQueued(
  app: pg.Pool,
  command: Pick<NewCommand, 'tenantId' | 'deviceId' | 'dedupeKey'>,
  outcome: Enqueued,
): Promise<CommandStatus> {
  if (outcome.type === 'queued') return outcome;
  // without a cached target no versions are compared
  if (outcome.type === 'outdated') throw new Error('a command was planned again and is outdated');
  if (outcome.type === 'device-queue-full') throw queueFull();
  const id = await findOpenDuplicate(app, command);
  throw new AppError(
    'duplicate-pending',
    id === undefined ? undefined : `Command ${id} has this dedupeKey and is open`,
  );
}

/** Checks what does not depend on the device. */
export async function checkShared(
  commandRequest: CommandRequest,
  { checkUrl }: Pick<EnqueueDeps, 'checkUrl'>,
): Promise<CheckedCommandRequest> {
  const checked = checkCommandRequest(commandRequest);
  if (commandRequest.callbackUrl !== undefined) await checkUrl(commandRequest.callbackUrl);
  return checked;
}

/** a place in the queue becomes free when a command ends */
const QUEUE_FULL_RETRY_S = 60;
export const queueFull = (): AppError => new AppError('device-queue-full', undefined, [], QUEUE_FULL_RETRY_S);

export const unknownDevice = (imei: string): AppError => new AppError('unknown-device', `${imei} is not registered`);

/**
 * The devices with these ids that the caller may see. Unknown ones are registered in the default tenant only, and not
 * for a user with assigned vehicles, who would not see them.
 */
export async function resolveTargets(
  deps: Pick<EnqueueDeps, 'app' | 'directory' | 'autoRegister' | 'defaultTenantId'>,
  tenantId: number,
  imeis: readonly string[],
): Promise<Map<string, Target>> {
  const found = new Map((await findTargets(deps.app, tenantId, imeis)).map((target) => [target.imei, target]));
  const missing = imeis.filter((imei) => !found.has(imei));
  const canRegister = deps.autoRegister && tenantId === deps.defaultTenantId && restrictedUser() === undefined;
  if (missing.length === 0 || !canRegister) return found;
  await deps.directory.resolve(missing, true);
  for (const target of await findTargets(deps.app, tenantId, missing)) found.set(target.imei, target);
  return found;
}

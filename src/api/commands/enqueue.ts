import type pg from 'pg';
import type { AuditNote, CommandStatus, Enqueued, NewCommand } from '../../contract/command.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { withActingKey } from '../audit/index.ts';
import type { Directory } from '../device-directory/index.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import { commandIdFrom, newCommandId, type Seed } from './ids.ts';
import type { Lookups } from './lookups.ts';
import { type CheckedCommandRequest, checkCommandRequest, planCommand } from './plan.ts';
import type { CommandRequest, EnqueueRequest } from './schema.ts';
import { findStored, findTargets } from './store.ts';
import { createTargets, type Target } from './target.ts';

/** Who sends the request, and with which scopes. */
export interface Caller {
  readonly tenantId: number;
  /** as in createdBy and history */
  readonly actor: string;
  readonly scopes: ReadonlySet<string>;
}

/** A request that may be repeated: the same seed makes the same ids. */
export interface Repeat {
  readonly seed: Seed;
  readonly isResumed: boolean;
}

/** Who requests a command, for the audit trail. */
type RequestNote = Omit<AuditNote, 'after'> & {
  /** id of the key that acts on behalf of the actor */
  readonly viaKey: string | undefined;
};

const auditNote = ({ viaKey, ...note }: RequestNote, after: object): AuditNote => ({
  ...note,
  after: viaKey === undefined ? after : withActingKey(after, viaKey),
});

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
  /** With the cached target, which the database compares by version; undefined if it is outdated. */
  const attempt = async (plan: () => NewCommand, known: Target): Promise<CommandStatus | undefined> => {
    let planned: NewCommand;
    try {
      planned = plan();
    } catch {
      // the reason may be outdated too
      return undefined;
    }
    const { deviceVersion, settingVersion, sessionProtocol: protocol } = known;
    const outcome = await dispatcher.enqueue({ ...planned, plannedBy: { deviceVersion, settingVersion, protocol } });
    return outcome.type === 'outdated' ? undefined : toStatus(outcome);
  };
  return {
    async prepare(caller, { imei, ...commandRequest }, { repeat, note } = {}) {
      const { tenantId, actor } = caller;
      const checked = await checkShared(commandRequest, deps);
      const id = repeat === undefined ? newCommandId(clock.now()) : commandIdFrom(repeat.seed, imei);
      const plan = (target: Target): NewCommand => ({
        ...planCommand(checked, target, { ...deps, scopes: caller.scopes, now: clock.now() }),
        id,
        tenantId,
        createdBy: actor,
        note: note === undefined ? undefined : auditNote(note, { imei, type: commandRequest.type ?? 'custom' }),
      });
      const store = async (): Promise<CommandStatus | undefined> => {
        if (repeat?.isResumed && (await findStored(app, tenantId, [id])).has(id)) return undefined;
        const known = targets.get(tenantId, imei);
        const status = known === undefined ? undefined : await attempt(() => plan(known), known);
        if (status !== undefined) return status;
        const target =
          (await lookups.target(tenantId, imei)) ?? (await resolveTargets(deps, tenantId, [imei])).get(imei);
        if (target === undefined) throw unknownDevice(imei);
        targets.put(tenantId, target);
        return toStatus(await dispatcher.enqueue(plan(target)));
      };
      return { id, store };
    },
  };
}

export function toStatus(outcome: Enqueued): CommandStatus {
  if (outcome.type === 'queued') return outcome;
  // without a cached target no versions are compared
  throw outcome.type === 'outdated'
    ? new Error('a command was planned again and is outdated')
    : new AppError(outcome.type);
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

export const unknownDevice = (imei: string): AppError => new AppError('unknown-device', `${imei} is not registered`);

/** The tenant's devices of these ids; only the default tenant registers unknown ones. */
export async function resolveTargets(
  deps: Pick<EnqueueDeps, 'app' | 'directory' | 'autoRegister' | 'defaultTenantId'>,
  tenantId: number,
  imeis: readonly string[],
): Promise<Map<string, Target>> {
  const found = new Map((await findTargets(deps.app, tenantId, imeis)).map((target) => [target.imei, target]));
  const missing = imeis.filter((imei) => !found.has(imei));
  if (missing.length === 0 || !deps.autoRegister || tenantId !== deps.defaultTenantId) return found;
  await deps.directory.resolve(missing, true);
  for (const target of await findTargets(deps.app, tenantId, missing)) found.set(target.imei, target);
  return found;
}

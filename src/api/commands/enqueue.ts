import type pg from 'pg';
import type { AuditNote, Enqueued, NewCommand, Standing } from '../../contract/command.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Directory } from '../device-directory/index.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import { commandIdFrom, newCommandId, type Seed } from './ids.ts';
import type { Lookups } from './lookups.ts';
import { type CheckedOrder, checkOrder, planCommand } from './plan.ts';
import type { EnqueueRequest, Order } from './schema.ts';
import { findStored, findTargets } from './store.ts';
import { createTargets, type Target } from './target.ts';

/** Who orders, and by what right. */
export interface Customer {
  readonly tenantId: number;
  /** as in createdBy and history */
  readonly actor: string;
  readonly scopes: ReadonlySet<string>;
}

/** An order that may be repeated: the same seed makes the same ids. */
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

/** An order with the id that its command has, or will have. */
export interface Placed {
  readonly id: string;
  /**
   * Stores the command and says where it stands; undefined where it had been stored before. Throws AppError
   * `unknown-device`, `unsupported-by-protocol`, `bad-parameters`, `missing-scope`, `duplicate-pending`,
   * `device-queue-full`.
   */
  readonly store: () => Promise<Standing | undefined>;
}

export interface EnqueueService {
  /** Throws AppError `invalid`, `command-too-long`, `ttl-out-of-range`, `private-address`. */
  place(
    customer: Customer,
    request: EnqueueRequest,
    circumstances?: { readonly repeat?: Repeat | undefined; readonly note?: Omit<AuditNote, 'after'> | undefined },
  ): Promise<Placed>;
}

export function createEnqueueService(deps: EnqueueDeps): EnqueueService {
  const { app, dispatcher, clock, lookups } = deps;
  const targets = createTargets();
  /** By what was known of the device a while ago, which the database compares; undefined where that is not so any more. */
  const attempt = async (plan: () => NewCommand, known: Target): Promise<Standing | undefined> => {
    let planned: NewCommand;
    try {
      planned = plan();
    } catch {
      // what speaks against it may not be so any more
      return undefined;
    }
    const { deviceVersion, settingVersion, sessionProtocol: protocol } = known;
    const outcome = await dispatcher.enqueue({ ...planned, plannedBy: { deviceVersion, settingVersion, protocol } });
    return outcome.type === 'outdated' ? undefined : toStanding(outcome);
  };
  return {
    async place(customer, { imei, ...order }, { repeat, note } = {}) {
      const { tenantId, actor } = customer;
      const checked = await checkWhole(order, deps);
      const id = repeat === undefined ? newCommandId(clock.now()) : commandIdFrom(repeat.seed, imei);
      const plan = (target: Target): NewCommand => ({
        ...planCommand(checked, target, { ...deps, scopes: customer.scopes, now: clock.now() }),
        id,
        tenantId,
        createdBy: actor,
        note: note === undefined ? undefined : { ...note, after: { imei, type: order.type ?? 'custom' } },
      });
      const store = async (): Promise<Standing | undefined> => {
        if (repeat?.isResumed && (await findStored(app, tenantId, [id])).has(id)) return undefined;
        const known = targets.get(tenantId, imei);
        const soon = known === undefined ? undefined : await attempt(() => plan(known), known);
        if (soon !== undefined) return soon;
        const target =
          (await lookups.target(tenantId, imei)) ?? (await resolveTargets(deps, tenantId, [imei])).get(imei);
        if (target === undefined) throw unknownDevice(imei);
        targets.put(tenantId, target);
        return toStanding(await dispatcher.enqueue(plan(target)));
      };
      return { id, store };
    },
  };
}

export function toStanding(outcome: Enqueued): Standing {
  if (outcome.type === 'queued') return outcome;
  // asked of rows that were read a moment ago, nothing is compared
  throw outcome.type === 'outdated'
    ? new Error('a command was planned anew and is outdated')
    : new AppError(outcome.type);
}

/** All of an order that does not depend on the device. */
export async function checkWhole(order: Order, { checkUrl }: Pick<EnqueueDeps, 'checkUrl'>): Promise<CheckedOrder> {
  const checked = checkOrder(order);
  if (order.callbackUrl !== undefined) await checkUrl(order.callbackUrl);
  return checked;
}

export const unknownDevice = (imei: string): AppError => new AppError('unknown-device', `${imei} is not registered`);

/** The tenant's devices of these ids; only the default tenant's credentials let new ones in. */
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

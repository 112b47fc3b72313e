import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Directory } from '../devices/directory/index.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import { commandIdFrom, newCommandId, type Seed } from './ids.ts';
import type { Lookups } from './lookups.ts';
import { type CheckedOrder, checkOrder, planCommand } from './plan.ts';
import type { EnqueueRequest, Order } from './schema.ts';
import * as store from './store.ts';
import type { Target } from './target.ts';

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

export interface EnqueueService {
  /**
   * Stores a command; its id. Throws AppError `invalid`, `command-too-long`, `ttl-out-of-range`, `private-address`,
   * `unknown-device`, `unsupported-by-protocol`, `bad-parameters`, `missing-scope`, `duplicate-pending`,
   * `device-queue-full`.
   */
  enqueue(customer: Customer, request: EnqueueRequest, repeat?: Repeat): Promise<string>;
}

export function createEnqueueService(deps: EnqueueDeps): EnqueueService {
  const { app, dispatcher, clock } = deps;
  return {
    async enqueue(customer, { imei, ...order }, repeat) {
      const { tenantId, actor } = customer;
      const checked = await checkWhole(order, deps);
      const id = repeat === undefined ? newCommandId(clock.now()) : commandIdFrom(repeat.seed, imei);
      if (repeat?.isResumed && (await store.findStored(app, tenantId, [id])).has(id)) return id;
      const target =
        (await deps.lookups.target(tenantId, imei)) ?? (await resolveTargets(deps, tenantId, [imei])).get(imei);
      if (target === undefined) throw unknownDevice(imei);
      const planned = planCommand(checked, target, { ...deps, scopes: customer.scopes, now: clock.now() });
      const outcome = await dispatcher.enqueue({ ...planned, id, tenantId, createdBy: actor });
      if (outcome !== 'queued') throw new AppError(outcome);
      return id;
    },
  };
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
  const found = new Map((await store.findTargets(deps.app, tenantId, imeis)).map((target) => [target.imei, target]));
  const missing = imeis.filter((imei) => !found.has(imei));
  if (missing.length === 0 || !deps.autoRegister || tenantId !== deps.defaultTenantId) return found;
  await deps.directory.resolve(missing, true);
  for (const target of await store.findTargets(deps.app, tenantId, missing)) found.set(target.imei, target);
  return found;
}

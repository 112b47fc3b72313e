import type pg from 'pg';
import { type CommandState, isFinal } from '../../contract/command.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import type { Customer } from './enqueue.ts';
import { isCommandId } from './ids.ts';
import { allowDanger, checkTtl, DANGEROUS_TTL_S, isDangerousFor } from './plan.ts';
import type { RearmRequest } from './schema.ts';
import * as store from './store.ts';
import type { Target } from './target.ts';

export interface Flushed {
  imei: string;
  cancelled: number;
  skippedInFlight: number;
  commandIds: string[];
}

export interface Rearmed {
  imei: string;
  requeued: number;
  commandIds: string[];
  skipped: { commandId: string; reason: string }[];
}

/** What people ask of commands that are there already. `target` is a device id or the id of a command. */
export interface WishService {
  /** Throws AppError `unknown-command`, `command-in-flight`, `already-final`. */
  cancel(customer: Customer, id: string, isForced: boolean): Promise<{ status: CommandState; wasStatus: CommandState }>;
  /** Cancels what has not ended. Throws AppError `unknown-device`, `unknown-command`, `already-final`. */
  flush(customer: Customer, target: string, includeInFlight: boolean): Promise<Flushed>;
  /**
   * Puts back to pending. Throws AppError `unknown-device`, `unknown-command`, `already-final`, `at-most-once`,
   * `missing-scope`, `ttl-out-of-range`, `duplicate-pending`.
   */
  rearm(customer: Customer, target: string, request: RearmRequest): Promise<Rearmed>;
}

export interface WishDeps {
  readonly app: pg.Pool;
  readonly dispatcher: CommandDispatcher;
  readonly knowledge: CommandKnowledge;
  readonly clock: Clock;
  readonly openCommands: number;
}

type Asked = { readonly command: store.CommandRow } | { readonly device: Target };

export function createWishService(deps: WishDeps): WishService {
  const { app, dispatcher, clock } = deps;
  const askerOf = ({ tenantId, actor }: Customer) => ({ tenantId, actor, now: clock.now() });
  const cancel = async (customer: Customer, id: string, isForced: boolean) => {
    const done = isCommandId(id) ? await dispatcher.cancel(id, isForced, askerOf(customer)) : undefined;
    if (done === undefined) throw new AppError('unknown-command');
    return done;
  };
  return {
    async cancel(customer, id, isForced) {
      const { command, wasState, conflict } = await cancel(customer, id, isForced);
      if (conflict !== undefined) throw new AppError(conflict, `The command is ${wasState}`);
      return { status: command.state, wasStatus: wasState };
    },
    async flush(customer, target, includeInFlight) {
      const asked = await findAsked(app, customer.tenantId, target);
      if ('command' in asked) {
        const { command, conflict } = await cancel(customer, asked.command.id, includeInFlight);
        if (conflict === 'already-final') throw new AppError('already-final', `The command is ${command.state}`);
        const commandIds = conflict === undefined ? [command.id] : [];
        const cancelled = commandIds.length;
        return { imei: command.imei, cancelled, skippedInFlight: 1 - cancelled, commandIds };
      }
      const { id, imei } = asked.device;
      const { cancelled, skippedInFlight } = await dispatcher.flush(id, includeInFlight, askerOf(customer));
      return { imei, cancelled: cancelled.length, skippedInFlight, commandIds: [...cancelled] };
    },
    async rearm(customer, target, request) {
      checkTtl(request.ttlSeconds);
      const asked = await findAsked(app, customer.tenantId, target);
      return 'command' in asked
        ? rearmOne(deps, customer, asked.command, request, askerOf(customer))
        : rearmOfDevice(deps, customer, asked.device, request, askerOf(customer));
    },
  };
}

/** A command's id before a device's: ids of devices do not look like those of commands. */
async function findAsked(app: pg.Pool, tenantId: number, target: string): Promise<Asked> {
  if (isCommandId(target)) {
    const [command] = await store.findCommands(app, tenantId, [target]);
    if (command !== undefined) return { command };
  }
  const [device] = await store.findTargets(app, tenantId, [target.replaceAll('\0', '')]);
  if (device !== undefined) return { device };
  throw new AppError(isCommandId(target) ? 'unknown-command' : 'unknown-device');
}

type Askers = Parameters<CommandDispatcher['rearm']>[1];

async function rearmOne(
  deps: WishDeps,
  customer: Customer,
  command: store.CommandRow,
  request: RearmRequest,
  asker: Askers,
): Promise<Rearmed> {
  const { imei } = command;
  const [device] = await store.findTargets(deps.app, customer.tenantId, [imei]);
  if (device === undefined) throw new AppError('unknown-command');
  allowRearm(deps, customer, device, [command], request);
  if (isFinal(command.state) && (await roomOf(deps, customer, device)) < 1) throw new AppError('device-queue-full');
  const { requeued, skipped } = await deps.dispatcher.rearm(
    { target: { commandId: command.id }, states: [], ttlMs: ttlMsOf(request), isForced: request.force },
    asker,
  );
  const [first] = skipped;
  if (first?.reason === 'already-final') throw new AppError('already-final', `The command is ${command.state}`);
  if (first?.reason === 'at-most-once') throw new AppError('at-most-once');
  return { imei, requeued: requeued.length, commandIds: [...requeued], skipped: [...skipped] };
}

/** Oldest first as far as the device's queue has room. */
async function rearmOfDevice(
  deps: WishDeps,
  customer: Customer,
  device: Target,
  request: RearmRequest,
  asker: Askers,
): Promise<Rearmed> {
  const { commandIds, statuses } = request;
  const rows = (await store.findInStates(deps.app, customer.tenantId, device.id, statuses)).reverse();
  const asked = commandIds === undefined ? rows : rows.filter(({ id }) => commandIds.includes(id));
  allowRearm(deps, customer, device, asked, request);
  let room = await roomOf(deps, customer, device);
  const fitting = asked.filter(({ state }) => !isFinal(state) || room-- > 0);
  const skipped = [
    ...asked.filter((row) => !fitting.includes(row)).map(({ id }) => ({ commandId: id, reason: 'device-queue-full' })),
    ...(await whyNot(deps.app, customer.tenantId, device, commandIds ?? [], rows)),
  ];
  const done = await deps.dispatcher.rearm(
    {
      target: { deviceId: device.id },
      commandIds: fitting.map(({ id }) => id),
      states: statuses,
      ttlMs: ttlMsOf(request),
      isForced: request.force,
    },
    asker,
  );
  return {
    imei: device.imei,
    requeued: done.requeued.length,
    commandIds: [...done.requeued],
    skipped: [...skipped, ...done.skipped],
  };
}

/** To run a dangerous command again is as dangerous as the first time. */
function allowRearm(
  { knowledge }: WishDeps,
  { scopes }: Customer,
  device: Target,
  rows: readonly store.CommandRow[],
  { ttlSeconds }: RearmRequest,
): void {
  const isDangerous = rows.some(({ type, text }) => isDangerousFor({ command: type, text }, device, knowledge));
  if (!isDangerous) return;
  allowDanger(scopes);
  checkTtl(ttlSeconds, DANGEROUS_TTL_S);
}

async function roomOf({ app, openCommands }: WishDeps, { tenantId }: Customer, device: Target): Promise<number> {
  return openCommands - (await store.countOpen(app, tenantId, device.id));
}

/** Why commands that were named are not among those that can be put back. */
async function whyNot(
  app: pg.Pool,
  tenantId: number,
  device: Target,
  named: readonly string[],
  rows: readonly store.CommandRow[],
): Promise<{ commandId: string; reason: string }[]> {
  const there = new Set(rows.map(({ id }) => id));
  const missing = named.filter((id) => !there.has(id));
  if (missing.length === 0) return [];
  const found = await store.findCommands(app, tenantId, missing.filter(isCommandId));
  const states = new Map(found.filter((c) => c.deviceId === device.id).map((c) => [c.id, c.state]));
  return missing.map((commandId) => ({ commandId, reason: states.get(commandId) ?? 'unknown-command' }));
}

const ttlMsOf = ({ ttlSeconds }: RearmRequest): number | undefined =>
  ttlSeconds === undefined ? undefined : Math.round(1000 * ttlSeconds);

import type pg from 'pg';
import { type CommandState, isFinal } from '../../../contract/command.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { CommandDispatcher, CommandKnowledge } from './dispatcher.ts';
import { type Caller, queueFull } from './enqueue.ts';
import { isCommandId, notFound } from './ids.ts';
import { checkFor, checkTtl, PRIVILEGED_TTL_S, requirePrivilegedScope } from './plan.ts';
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

/** User requests for existing commands. `target` is the id of a device or a command. */
export interface UserRequestService {
  /** Throws AppError `unknown-command`, `command-in-flight`, `already-final`. */
  cancel(caller: Caller, id: string, isForced: boolean): Promise<{ status: CommandState; wasStatus: CommandState }>;
  /** Cancels open commands. Throws AppError `unknown-device`, `unknown-command`, `already-final`. */
  flush(caller: Caller, target: string, includeInFlight: boolean): Promise<Flushed>;
  /**
   * Re-arms commands. Throws AppError `unknown-device`, `unknown-command`, `already-final`, `at-most-once`,
   * `missing-scope`, `ttl-out-of-range`, `duplicate-pending`.
   */
  rearm(caller: Caller, target: string, request: RearmRequest): Promise<Rearmed>;
}

export interface UserRequestDeps {
  readonly app: pg.Pool;
  readonly dispatcher: CommandDispatcher;
  readonly knowledge: CommandKnowledge;
  readonly clock: Clock;
  readonly openCommands: number;
}

type ResolvedTarget = { readonly command: store.CommandRow } | { readonly device: Target };

export function createUserRequestService(deps: UserRequestDeps): UserRequestService {
  const { app, dispatcher, clock } = deps;
  const requesterOf = ({ tenantId, actor }: Caller) => ({ tenantId, actor, now: clock.now() });
  const cancel = async (caller: Caller, id: string, isForced: boolean) => {
    // the dispatcher has no policies: the database decides whether the caller may see the command
    const isVisible = isCommandId(id) && (await store.findStored(app, caller.tenantId, [id])).has(id);
    const done = isVisible ? await dispatcher.cancel(id, isForced, requesterOf(caller)) : undefined;
    if (done === undefined) throw new AppError('unknown-command');
    return done;
  };
  return {
    async cancel(caller, id, isForced) {
      const { command, wasState, conflict } = await cancel(caller, id, isForced);
      if (conflict !== undefined) throw new AppError(conflict, `The command is ${wasState}`);
      return { status: command.state, wasStatus: wasState };
    },
    async flush(caller, target, includeInFlight) {
      const resolved = await resolveTarget(app, caller.tenantId, target);
      if ('command' in resolved) {
        const { command, conflict } = await cancel(caller, resolved.command.id, includeInFlight);
        if (conflict === 'already-final') throw new AppError('already-final', `The command is ${command.state}`);
        const commandIds = conflict === undefined ? [command.id] : [];
        const cancelled = commandIds.length;
        return { imei: command.imei, cancelled, skippedInFlight: 1 - cancelled, commandIds };
      }
      const { id, imei } = resolved.device;
      const { cancelled, skippedInFlight } = await dispatcher.flush(id, includeInFlight, requesterOf(caller));
      return { imei, cancelled: cancelled.length, skippedInFlight, commandIds: [...cancelled] };
    },
    async rearm(caller, target, request) {
      checkTtl(request.ttlSeconds);
      const resolved = await resolveTarget(app, caller.tenantId, target);
      return 'command' in resolved
        ? rearmOne(deps, caller, resolved.command, request, requesterOf(caller))
        : rearmOfDevice(deps, caller, resolved.device, request, requesterOf(caller));
    },
  };
}

/** Commands are searched before devices. */
async function resolveTarget(app: pg.Pool, tenantId: number, target: string): Promise<ResolvedTarget> {
  if (isCommandId(target)) {
    const [command] = await store.findCommands(app, tenantId, [target]);
    if (command !== undefined) return { command };
  }
  const [device] = await store.findTargets(app, tenantId, [target.replaceAll('\0', '')]);
  if (device !== undefined) return { device };
  throw notFound(target);
}

type Requester = Parameters<CommandDispatcher['rearm']>[1];

async function rearmOne(
  deps: UserRequestDeps,
  caller: Caller,
  command: store.CommandRow,
  request: RearmRequest,
  requester: Requester,
): Promise<Rearmed> {
  const { imei } = command;
  const [device] = await store.findTargets(deps.app, caller.tenantId, [imei]);
  if (device === undefined) throw new AppError('unknown-command');
  checkRearmAllowed(deps, caller, device, [command], request);
  if (isFinal(command.state) && (await freeSlotsOf(deps, caller, device)) < 1) throw queueFull();
  const { requeued, skipped } = await deps.dispatcher.rearm(
    { target: { commandId: command.id }, states: [], ttlMs: ttlMsOf(request), isForced: request.force },
    requester,
  );
  const [first] = skipped;
  if (first?.reason === 'already-final') throw new AppError('already-final', `The command is ${command.state}`);
  if (first?.reason === 'at-most-once') throw new AppError('at-most-once');
  return { imei, requeued: requeued.length, commandIds: [...requeued], skipped: [...skipped] };
}

/** Oldest first, until the queue of the device is full. */
async function rearmOfDevice(
  deps: UserRequestDeps,
  caller: Caller,
  device: Target,
  request: RearmRequest,
  requester: Requester,
): Promise<Rearmed> {
  const { commandIds, statuses } = request;
  const rows = (await store.findInStates(deps.app, caller.tenantId, device.id, statuses)).reverse();
  const resolved = commandIds === undefined ? rows : rows.filter(({ id }) => commandIds.includes(id));
  checkRearmAllowed(deps, caller, device, resolved, request);
  let freeSlots = await freeSlotsOf(deps, caller, device);
  const fitting = resolved.filter(({ state }) => !isFinal(state) || freeSlots-- > 0);
  const skipped = [
    ...resolved
      .filter((row) => !fitting.includes(row))
      .map(({ id }) => ({ commandId: id, reason: 'device-queue-full' })),
    ...(await skipReasons(deps.app, caller.tenantId, device, commandIds ?? [], rows)),
  ];
  const done = await deps.dispatcher.rearm(
    {
      target: { deviceId: device.id },
      commandIds: fitting.map(({ id }) => id),
      states: statuses,
      ttlMs: ttlMsOf(request),
      isForced: request.force,
    },
    requester,
  );
  return {
    imei: device.imei,
    requeued: done.requeued.length,
    commandIds: [...done.requeued],
    skipped: [...skipped, ...done.skipped],
  };
}

/** Re-arming a privileged command requires the same scope as enqueueing it. */
function checkRearmAllowed(
  { knowledge }: UserRequestDeps,
  { scopes }: Caller,
  device: Target,
  rows: readonly store.CommandRow[],
  { ttlSeconds }: RearmRequest,
): void {
  const isPrivileged = rows.some((row) => checkFor(row, device, knowledge).isPrivileged);
  if (!isPrivileged) return;
  requirePrivilegedScope(scopes);
  checkTtl(ttlSeconds, PRIVILEGED_TTL_S);
}

async function freeSlotsOf(
  { app, openCommands }: UserRequestDeps,
  { tenantId }: Caller,
  device: Target,
): Promise<number> {
  return openCommands - (await store.countOpen(app, tenantId, device.id));
}

/** Reasons why the named commands cannot be re-armed. */
async function skipReasons(
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

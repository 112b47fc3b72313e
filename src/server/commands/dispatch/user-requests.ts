import {
  type CommandState,
  isFinal,
  type Rearmed,
  type RearmOptions,
  type RequestConflict,
  type Requester,
} from '../../../contract/command.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Command } from './command.ts';
import type { DispatchEngine } from './engine.ts';
import * as store from './store.ts';
import { UnitOfWork } from './unit-of-work.ts';

export interface Cancelled {
  readonly command: Command;
  readonly wasState: CommandState;
  readonly conflict: RequestConflict | undefined;
}

/** Cancels one command; `undefined` if the tenant has no command of that id. */
export function cancel(
  engine: DispatchEngine,
  id: string,
  isForced: boolean,
  requester: Requester,
): Promise<Cancelled | undefined> {
  return engine.change(async (tx) => {
    const unit = await openUnitOfWork(engine, () => store.lockCommands(tx, [id]), requester);
    const command = unit.get(id);
    if (command === undefined) return { unit, result: undefined };
    const { outcome } = cancelIn(unit, command, isForced, requester);
    const conflict = outcome.type === 'conflict' ? outcome.code : undefined;
    return { unit, result: { command: unit.get(id)!, wasState: command.state, conflict } };
  });
}

export interface Flushed {
  readonly cancelled: readonly string[];
  readonly skippedInFlight: number;
}

/** Cancels the open commands of a device; those in flight only on request. */
export function flush(
  engine: DispatchEngine,
  deviceId: number,
  includeInFlight: boolean,
  requester: Requester,
): Promise<Flushed> {
  return engine.change(async (tx) => {
    const unit = await openUnitOfWork(engine, () => store.lockOpen(tx, deviceId), requester);
    const cancelled: string[] = [];
    let skippedInFlight = 0;
    for (const command of Array.from(unit.all())) {
      const { outcome } = cancelIn(unit, command, includeInFlight, requester);
      if (outcome.type === 'become') cancelled.push(command.id);
      else skippedInFlight++;
    }
    return { unit, result: { cancelled, skippedInFlight } };
  });
}

/**
 * Sets commands to pending with new attempts and a new time to live. Throws AppError `duplicate-pending` if another
 * open command has the dedupe key of one of them.
 */
export async function rearm(engine: DispatchEngine, options: RearmOptions, requester: Requester): Promise<Rearmed> {
  try {
    return await rearmAll(engine, options, requester);
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'command_deduped') throw new AppError('duplicate-pending');
    throw error;
  }
}

function rearmAll(engine: DispatchEngine, options: RearmOptions, requester: Requester): Promise<Rearmed> {
  return engine.change(async (tx) => {
    const { target } = options;
    const load = () =>
      'commandId' in target
        ? store.lockCommands(tx, [target.commandId])
        : store.lockInStates(tx, target.deviceId, options.states, options.commandIds);
    const unit = await openUnitOfWork(engine, load, requester);
    const requeued: string[] = [];
    const skipped: { commandId: string; reason: string }[] = [];
    for (const command of Array.from(unit.all())) {
      const { outcome } = unit.apply(command, {
        type: options.isForced ? 'reset-by-force' : 'reset',
        at: requester.now,
        reason: 'reset',
        actor: requester.actor,
        ...(options.ttlMs === undefined ? {} : { ttlMs: options.ttlMs }),
      });
      if (outcome.type === 'become') requeued.push(command.id);
      else skipped.push({ commandId: command.id, reason: outcome.type === 'conflict' ? outcome.code : command.state });
    }
    return { unit, result: { requeued, skipped } };
  });
}

function cancelIn(
  unit: UnitOfWork,
  command: Command,
  isForced: boolean,
  requester: Requester,
): ReturnType<UnitOfWork['apply']> {
  return unit.apply(command, {
    type: isForced && !isFinal(command.state) ? 'cancel-by-force' : 'cancel',
    at: requester.now,
    reason: 'cancelled',
    actor: requester.actor,
  });
}

/** Loads commands of the requester's tenant. */
async function openUnitOfWork(
  { protocols }: DispatchEngine,
  load: () => Promise<Command[]>,
  requester: Requester,
): Promise<UnitOfWork> {
  const unit = new UnitOfWork(requester.now, protocols);
  unit.add((await load()).filter((command) => command.tenantId === requester.tenantId));
  return unit;
}

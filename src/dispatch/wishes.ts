import {
  type Asker,
  type CommandState,
  isFinal,
  type Rearmed,
  type Rearming,
  type WishConflict,
} from '../contract/command.ts';
import { AppError } from '../platform/errors.ts';
import type { Command } from './command.ts';
import type { DispatchEngine } from './engine.ts';
import { Book } from './ledger.ts';
import * as store from './store.ts';

export interface Cancelled {
  readonly command: Command;
  readonly wasState: CommandState;
  readonly conflict: WishConflict | undefined;
}

/** Cancels one command; `undefined` where the tenant has none of that id. */
export function cancel(
  engine: DispatchEngine,
  id: string,
  isForced: boolean,
  asker: Asker,
): Promise<Cancelled | undefined> {
  return engine.change(async (tx) => {
    const book = await openBook(() => store.lockCommands(tx, [id]), asker);
    const command = book.get(id);
    if (command === undefined) return { book, result: undefined };
    const { outcome } = cancelIn(book, command, isForced, asker);
    const conflict = outcome.type === 'conflict' ? outcome.code : undefined;
    return { book, result: { command: book.get(id)!, wasState: command.state, conflict } };
  });
}

export interface Flushed {
  readonly cancelled: readonly string[];
  readonly skippedInFlight: number;
}

/** Cancels every command of a device that has not ended; what is in flight only where asked. */
export function flush(
  engine: DispatchEngine,
  deviceId: number,
  includeInFlight: boolean,
  asker: Asker,
): Promise<Flushed> {
  return engine.change(async (tx) => {
    const book = await openBook(() => store.lockOpen(tx, deviceId), asker);
    const cancelled: string[] = [];
    let skippedInFlight = 0;
    for (const command of [...book.all()]) {
      const { outcome } = cancelIn(book, command, includeInFlight, asker);
      if (outcome.type === 'become') cancelled.push(command.id);
      else skippedInFlight++;
    }
    return { book, result: { cancelled, skippedInFlight } };
  });
}

/**
 * Puts commands back to pending with attempts and time of their own. Throws AppError `duplicate-pending` where another
 * open command has the dedupe key of one of them by now.
 */
export async function rearm(engine: DispatchEngine, wish: Rearming, asker: Asker): Promise<Rearmed> {
  try {
    return await rearmAll(engine, wish, asker);
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'command_deduped') throw new AppError('duplicate-pending');
    throw error;
  }
}

function rearmAll(engine: DispatchEngine, wish: Rearming, asker: Asker): Promise<Rearmed> {
  return engine.change(async (tx) => {
    const { target } = wish;
    const load = () =>
      'commandId' in target
        ? store.lockCommands(tx, [target.commandId])
        : store.lockInStates(tx, target.deviceId, wish.states, wish.commandIds);
    const book = await openBook(load, asker);
    const requeued: string[] = [];
    const skipped: { commandId: string; reason: string }[] = [];
    for (const command of [...book.all()]) {
      const { outcome } = book.apply(command, {
        happening: wish.isForced ? 'reset-by-force' : 'reset',
        at: asker.now,
        reason: 'reset',
        actor: asker.actor,
        ...(wish.ttlMs === undefined ? {} : { ttlMs: wish.ttlMs }),
      });
      if (outcome.type === 'become') requeued.push(command.id);
      else skipped.push({ commandId: command.id, reason: outcome.type === 'conflict' ? outcome.code : command.state });
    }
    return { book, result: { requeued, skipped } };
  });
}

function cancelIn(book: Book, command: Command, isForced: boolean, asker: Asker): ReturnType<Book['apply']> {
  return book.apply(command, {
    happening: isForced && !isFinal(command.state) ? 'cancel-by-force' : 'cancel',
    at: asker.now,
    reason: 'cancelled',
    actor: asker.actor,
  });
}

/** The tenant's commands alone: those of another are not there for it. */
async function openBook(load: () => Promise<Command[]>, asker: Asker): Promise<Book> {
  const book = new Book(asker.now);
  book.add((await load()).filter((command) => command.tenantId === asker.tenantId));
  return book;
}

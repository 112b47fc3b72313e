import type pg from 'pg';
import { type CommandStatus, isFinal } from '../../../contract/command.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Cursors, toPage } from '../../kernel/http/index.ts';
import type { CommandDispatcher } from './dispatcher.ts';
import { isCommandId } from './ids.ts';
import type { Lookups } from './lookups.ts';
import { present, presentAll } from './present.ts';
import type { CommandView, ListQuery } from './schema.ts';
import * as store from './store.ts';
import { type Waiter, waitFor } from './wait.ts';

/** How long a client waits for a command's end. */
export interface WaitOptions {
  readonly seconds: number;
  readonly waiter: Waiter;
}

export interface CommandService {
  /**
   * The status of a command, at once or when it has ended. `first` may store the command and return its status; its
   * errors are passed on. Throws AppError `unknown-command`.
   */
  status(
    tenantId: number,
    id: string,
    waitOptions: WaitOptions,
    first?: () => Promise<CommandStatus | undefined>,
  ): Promise<CommandStatus>;
  /** The command with its history, at once or when it has ended. Throws AppError `unknown-command`. */
  find(tenantId: number, id: string, waitOptions: WaitOptions): Promise<CommandView>;
  /** Newest first. Throws AppError `bad-cursor`, `unknown-device`. */
  list(tenantId: number, query: ListQuery): Promise<{ items: CommandView[]; nextCursor: string | null }>;
}

export interface CommandServiceDeps {
  readonly app: pg.Pool;
  readonly lookups: Lookups;
  readonly dispatcher: CommandDispatcher;
  readonly cursors: Cursors;
  readonly clock: Clock;
  /** ms between two reads of a command that a client waits for */
  readonly pollMs?: number | undefined;
}

export function createCommandService(deps: CommandServiceDeps): CommandService {
  const { app, lookups, dispatcher, cursors, clock, pollMs } = deps;
  const status: CommandService['status'] = async (tenantId, id, { seconds, waiter }, first) => {
    if (!isCommandId(id)) throw new AppError('unknown-command');
    const read = (): Promise<CommandStatus | undefined> => lookups.status(tenantId, id);
    const found = await waitFor(async () => (await first?.()) ?? read(), read, {
      hasEnded: (row) => row === undefined || isFinal(row.state),
      onEnded: (listener) => dispatcher.onEnded(id, listener),
      seconds,
      waiter,
      monotonic: clock.monotonic,
      ...(pollMs === undefined ? {} : { pollMs }),
    });
    if (found === undefined) throw new AppError('unknown-command');
    return found;
  };
  return {
    status,
    async find(tenantId, id, waitOptions) {
      if (waitOptions.seconds > 0) await status(tenantId, id, waitOptions);
      if (!isCommandId(id)) throw new AppError('unknown-command');
      const [row, history] = await Promise.all([lookups.command(tenantId, id), lookups.history(tenantId, id)]);
      if (row === undefined) throw new AppError('unknown-command');
      return present(row, history ?? []);
    },
    async list(tenantId, { imei, status, since, batchId, limit, cursor }) {
      const filter = ['commands', tenantId, imei ?? null, status ?? null, since ?? null, batchId ?? null];
      const [createdMicros, id] = cursor === undefined ? [] : cursors.read(cursor, filter);
      const device = imei === undefined ? undefined : await lookups.target(tenantId, imei);
      if (imei !== undefined && device === undefined) throw new AppError('unknown-device');
      const rows = await store.listCommands(app, tenantId, {
        deviceId: device?.id,
        states: status,
        batchId,
        since,
        after: createdMicros === undefined ? undefined : { createdMicros: Number(createdMicros), id: String(id) },
        limit: limit + 1,
      });
      const page = toPage(
        rows,
        limit,
        (row) => row,
        (row) => cursors.write([row.createdMicros, row.id], filter),
      );
      const history = await store.findHistory(
        app,
        tenantId,
        page.items.map((row) => row.id),
      );
      return { items: presentAll(page.items, history), nextCursor: page.nextCursor };
    },
  };
}

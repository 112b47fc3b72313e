import type { CommandState } from '../../../../contract/command.ts';
import type { Queryable } from '../../../database/index.ts';

export interface CommandCounts {
  readonly states: readonly { readonly state: CommandState; readonly count: number }[];
  /** epoch ms */
  readonly oldestPendingAt: number | null;
  /** changes that have not been published to the job queue */
  readonly outbox: number;
  /** devices that have as many open commands as they may have */
  readonly fullQueues: number;
}

/** Scans all open commands: takes seconds if there are many. */
export async function readCommandCounts(pool: Queryable, openCommands: number): Promise<CommandCounts> {
  const { rows } = await pool.query<{ state: CommandState; count: number; oldest: number }>({
    name: 'command-counts',
    text: `select state, count(*) as count, min(created_at) as oldest from command group by state`,
  });
  const outbox = await pool.query<{ count: number }>({
    name: 'outbox-count',
    text: 'select count(*) as count from command_outbox',
  });
  const full = await pool.query<{ count: number }>({
    name: 'full-queues-count',
    text: `select count(*) as count from (
             select from command where state in ('pending', 'sending', 'sent')
             group by device_id having count(*) >= $1) full_queues`,
    values: [openCommands],
  });
  return {
    states: rows.map(({ state, count }) => ({ state, count })),
    oldestPendingAt: rows.find(({ state }) => state === 'pending')?.oldest ?? null,
    outbox: outbox.rows[0]!.count,
    fullQueues: full.rows[0]!.count,
  };
}

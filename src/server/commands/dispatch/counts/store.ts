import type { CommandState } from '../../../../contract/command.ts';
import type { Queryable } from '../../../database/index.ts';

export interface CommandCounts {
  readonly states: readonly { readonly state: CommandState; readonly count: number }[];
  /** epoch ms */
  readonly oldestPendingAt: number | null;
  /** changes that have not been published to the job queue */
  readonly outbox: number;
}

/** Scans all open commands: takes seconds if there are many. */
export async function readCommandCounts(pool: Queryable): Promise<CommandCounts> {
  const { rows } = await pool.query<{ state: CommandState; count: number; oldest: number }>({
    name: 'command-counts',
    text: `select state, count(*) as count, min(created_at) as oldest from command group by state`,
  });
  const outbox = await pool.query<{ count: number }>({
    name: 'outbox-count',
    text: 'select count(*) as count from command_outbox',
  });
  return {
    states: rows.map(({ state, count }) => ({ state, count })),
    oldestPendingAt: rows.find(({ state }) => state === 'pending')?.oldest ?? null,
    outbox: outbox.rows[0]!.count,
  };
}

import type pg from 'pg';
import { present } from './present.ts';
import type { CommandView } from './schema.ts';
import { findCommands, findHistory } from './store.ts';

/** A command as the API presents it; undefined if the tenant has no command of that id. */
export async function describeCommand(app: pg.Pool, tenantId: number, id: string): Promise<CommandView | undefined> {
  const [[row], history] = await Promise.all([findCommands(app, tenantId, [id]), findHistory(app, tenantId, [id])]);
  return row === undefined ? undefined : present(row, history);
}

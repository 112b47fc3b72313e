import { userInfo } from 'node:os';
import type { Queryable } from '../server/database/index.ts';
import { insertEntries } from '../server/kernel/audit/index.ts';

export interface CommandNote {
  readonly tenantId: number;
  /** `keys create` */
  readonly command: string;
  readonly object?: string;
  readonly after?: unknown;
}

/** Writes to the audit trail what a command of this host has done; the API seals it. */
export async function noteCommand(db: Queryable, { tenantId, command, object, after }: CommandNote): Promise<void> {
  const actor = `cli:${userInfo().username}`;
  const entry = { tenantId, actor, address: null, action: `fleetgate ${command}`, before: null, requestId: null };
  await insertEntries(db, [{ ...entry, object: object ?? null, after }]);
}

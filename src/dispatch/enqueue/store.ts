import type { NewCommand } from '../../contract/command.ts';
import {
  boolArray,
  int4Array,
  int8Array,
  jsonArray,
  type Queryable,
  textArray as text,
  timestampArray,
} from '../../platform/postgres/index.ts';
import type { ClaimedCommand } from '../store.ts';

/** A command that was stored, one that is sent, or both; neither: an open command has its dedupe key. */
type EnqueuedRow = { readonly isOutdated: boolean; readonly expiresAt: number | null } & (
  | ClaimedCommand
  | { readonly id: string; readonly gateway: null }
);

export interface Stored {
  /** id → epoch ms of the end of its time */
  readonly stored: ReadonlyMap<string, number>;
  /** ids of those that were left out: an open command has their dedupe key */
  readonly duplicates: ReadonlySet<string>;
  /** ids of those that were left out: what they were planned by is not so any more */
  readonly outdated: ReadonlySet<string>;
  /** what is to be sent, new or not */
  readonly claimed: readonly ClaimedCommand[];
}

export interface EnqueueOptions {
  /** whose streams are held here */
  readonly gateways: readonly string[];
  /** open commands that a device may have: a guard, not an exact limit */
  readonly maxOpen: number;
  readonly wakesAll: boolean;
}

/**
 * Stores new commands in order with all that belongs to them and claims what may be sent, in one statement, which is
 * its own transaction. What is neither stored nor a duplicate found its device's queue full.
 */
export async function enqueueCommands(
  pool: Queryable,
  list: readonly NewCommand[],
  { gateways, maxOpen, wakesAll }: EnqueueOptions,
): Promise<Stored> {
  const { rows } = await pool.query<EnqueuedRow>({
    name: 'enqueue-commands',
    text: `
      select id, is_outdated as "isOutdated", expires_at as "expiresAt", device_id as "deviceId", gateway, conn, attempts,
             ticket, imei, type, params, encoding, text
      from enqueue_commands($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
                            $21, $22, $23, $24, $25, $26, $27, $28, $29)`,
    values: [
      text(list.map((c) => c.id)),
      int4Array(list.map((c) => c.tenantId)),
      int8Array(list.map((c) => c.deviceId)),
      text(list.map((c) => c.batchId)),
      int4Array(list.map((c) => c.priority)),
      text(list.map((c) => c.type)),
      jsonArray(list.map((c) => JSON.stringify(c.params))),
      text(list.map((c) => c.text)),
      text(list.map((c) => c.encoding)),
      boolArray(list.map((c) => c.once)),
      int4Array(list.map((c) => c.maxAttempts)),
      jsonArray(list.map((c) => (c.conditions === undefined ? null : JSON.stringify(c.conditions)))),
      timestampArray(list.map((c) => c.notBefore)),
      int8Array(list.map((c) => c.ttlMs)),
      int4Array(list.map((c) => c.answerMs)),
      text(list.map((c) => c.dedupeKey)),
      text(list.map((c) => c.callbackUrl)),
      text(list.map((c) => c.createdBy)),
      int8Array(list.map((c) => c.plannedBy?.deviceVersion)),
      int8Array(list.map((c) => c.plannedBy?.settingVersion)),
      text(list.map((c) => c.plannedBy?.protocol)),
      text(list.map((c) => c.note?.actor)),
      text(list.map((c) => c.note?.address)),
      text(list.map((c) => c.note?.action)),
      jsonArray(list.map((c) => (c.note === undefined ? null : JSON.stringify(c.note.after)))),
      text(list.map((c) => c.note?.requestId)),
      text(gateways),
      maxOpen,
      wakesAll,
    ],
  });
  const stored = new Map<string, number>();
  const duplicates = new Set<string>();
  const outdated = new Set<string>();
  const claimed: ClaimedCommand[] = [];
  for (const row of rows) {
    if (row.isOutdated) outdated.add(row.id);
    else if (row.expiresAt !== null) stored.set(row.id, row.expiresAt);
    else if (row.gateway === null) duplicates.add(row.id);
    if (row.gateway !== null) claimed.push(row);
  }
  return { stored, duplicates, outdated, claimed };
}

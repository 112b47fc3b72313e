import type { NewCommand } from '../../contract/command.ts';
import { type Queryable, textArray } from '../../platform/postgres/index.ts';
import { type ClaimedCommand, timestamp } from '../store.ts';

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
  /** ids of those that were left out: their settings have changed since they were planned */
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
      select e.id, e.is_outdated as "isOutdated", e.expires_at as "expiresAt", (e.delivery).device_id as "deviceId",
             (e.delivery).gateway, (e.delivery).conn, (e.delivery).deliveries, (e.delivery).ticket, (e.delivery).imei,
             (e.delivery).type, (e.delivery).params, (e.delivery).encoding, (e.delivery).text
      from enqueue_commands(array(select n from json_populate_recordset(null::new_command, $1) n), $2, $3, $4) e`,
    values: [JSON.stringify(list.map(toRow)), textArray(gateways), maxOpen, wakesAll],
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

/** Members of the type `new_command`. */
const toRow = (c: NewCommand) => ({
  id: c.id,
  tenant_id: c.tenantId,
  device_id: c.deviceId,
  batch_id: c.batchId,
  priority: c.priority,
  type: c.type,
  params: c.params,
  text: c.text,
  encoding: c.encoding,
  once: c.once,
  max_attempts: c.maxAttempts,
  conditions: c.conditions,
  not_before: timestamp(c.notBefore),
  ttl_ms: c.ttlMs,
  answer_ms: c.answerMs,
  dedupe_key: c.dedupeKey,
  callback_url: c.callbackUrl,
  created_by: c.createdBy,
  device_version: c.plannedBy?.deviceVersion,
  setting_version: c.plannedBy?.settingVersion,
  protocol: c.plannedBy?.protocol,
  note_actor: c.note?.actor,
  note_address: c.note?.address,
  note_action: c.note?.action,
  note_after: c.note?.after,
  note_request: c.note?.requestId,
});

import type { NewCommand } from '../../../../contract/command.ts';
import { type Queryable, textArray } from '../../../database/index.ts';
import { type ClaimedCommand, timestamp } from '../store.ts';

/** A stored command, a claimed one, or both. Neither: an open command has the dedupe key. */
type EnqueuedRow = { readonly isOutdated: boolean; readonly expiresAt: number | null } & (
  | ClaimedCommand
  | { readonly id: string; readonly gateway: null }
);

export interface Stored {
  /** ids and the ends of their time to live, epoch ms */
  readonly stored: ReadonlyMap<string, number>;
  /** ids that were not stored because an open command has the dedupe key */
  readonly duplicates: ReadonlySet<string>;
  /** ids that were not stored because the device or its settings have changed since they were planned */
  readonly outdated: ReadonlySet<string>;
  /** claimed commands, which need not be new */
  readonly claimed: readonly ClaimedCommand[];
}

export interface EnqueueOptions {
  /** gateways whose downlinks end in this process */
  readonly gateways: readonly string[];
  /** maximum number of open commands of a device; concurrent requests may exceed it */
  readonly maxOpen: number;
  readonly wakesAll: boolean;
}

/**
 * Stores new commands in order, with history, outbox and audit trail, and claims those that may be sent. One statement,
 * which is its own transaction. A command that is neither stored nor a duplicate nor outdated was refused because the
 * queue of its device is full.
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

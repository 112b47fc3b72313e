import {
  boolArray,
  int4Array,
  int8Array,
  jsonArray,
  type Queryable,
  textArray as text,
  timestampArray,
} from '../../platform/postgres/index.ts';
import type { NewCommand } from '../command.ts';

/** Stores new commands in order; those whose dedupe key an open command has are left out. Ids that were stored. */
export async function insertCommands(tx: Queryable, list: readonly NewCommand[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'insert-commands',
    text: `
      insert into command (id, tenant_id, device_id, batch_id, priority, type, params, text, encoding, once,
        max_attempts, ticket, conditions, not_before, ttl_ms, expires_at, answer_ms, dedupe_key, callback_url, created_by)
      select n.id, n.tenant_id, n.device_id, n.batch_id, n.priority, n.type, n.params, n.text, n.encoding, n.once,
        n.max_attempts, 0, n.conditions, n.not_before, n.ttl_ms,
        now() + n.ttl_ms * interval '1 millisecond', n.answer_ms, n.dedupe_key, n.callback_url, n.created_by
      from unnest($1::text[], $2::int4[], $3::int8[], $4::text[], $5::int4[], $6::text[], $7::json[], $8::text[],
                  $9::text[], $10::bool[], $11::int4[], $12::json[], $13::timestamptz[], $14::int8[], $15::int4[],
                  $16::text[], $17::text[], $18::text[]) with ordinality
        as n(id, tenant_id, device_id, batch_id, priority, type, params, text, encoding, once, max_attempts,
             conditions, not_before, ttl_ms, answer_ms, dedupe_key, callback_url, created_by, place)
      order by n.place
      on conflict (device_id, dedupe_key) where state in ('pending', 'sending', 'sent') and dedupe_key is not null
      do nothing
      returning id`,
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
    ],
  });
  return new Set(rows.map((r) => r.id));
}

/** Open commands of devices: how many more each may hold. Locks nothing: the bound is a guard, not a ledger. */
export async function countOpen(tx: Queryable, deviceIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await tx.query<{ id: number; open: number }>({
    name: 'count-open-commands',
    // each count has an index of its own, whose size is that of what is open
    text: `select d.id,
             ((select count(*) from command p where p.device_id = d.id and p.state = 'pending')
              + (select count(*) from command f where f.device_id = d.id and f.state in ('sending', 'sent')))::int as open
           from unnest($1::int8[]) as d(id)`,
    values: [int8Array(deviceIds)],
  });
  return new Map(rows.map((r) => [r.id, r.open]));
}

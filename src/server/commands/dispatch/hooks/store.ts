import { type Queryable, textArray as text } from '../../../database/index.ts';

/** Enters the callbacks of ended commands. */
export async function addCallbacks(tx: Queryable, commandIds: readonly string[]): Promise<void> {
  if (commandIds.length === 0) return;
  await tx.query({
    name: 'add-callbacks',
    text: `insert into hook_delivery (tenant_id, kind, command_id, url)
           select c.tenant_id, 'command-ended', c.id, c.callback_url from command c
           where c.id = any($1::text[]) and c.callback_url is not null`,
    values: [text(commandIds)],
  });
}

/** Schedules wake-ups of these commands' devices, for tenants that have a wake-up URL. */
export async function addWakeUps(tx: Queryable, commandIds: readonly string[], wakesAll: boolean): Promise<void> {
  if (commandIds.length === 0) return;
  await tx.query({
    name: 'add-wake-ups',
    text: `insert into wake_up (command_id, tenant_id, due_at)
           select c.id, c.tenant_id, greatest(now(), c.not_before) + interval '1 second' from command c
           where c.id = any($1::text[]) and ($2 or exists (
             select from tenant_setting t where t.tenant_id = c.tenant_id and t.wake_up_url is not null))
           on conflict (command_id) do nothing`,
    values: [text(commandIds), wakesAll],
  });
}

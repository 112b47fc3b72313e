import type { Clock } from '../../../../src/platform/clock.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import type { Queryable } from '../../../../src/server/database/index.ts';

let last = 0;

/** No two events have the same time. */
export const clock: Clock = {
  ...systemClock,
  now: () => {
    last = Math.max(last + 1, systemClock.now());
    return last;
  },
};

const TIMES: Readonly<Record<string, readonly string[]>> = {
  command: ['created_at', 'expires_at', 'deadline', 'sent_at', 'acknowledged_at', 'ended_at'],
  session: ['since', 'changed_at', 'seen_at', 'held_until'],
};

/** Time passes for one device and its gateways: what is stored becomes older, so that the server's clock need not move. */
export async function age(
  tx: Queryable,
  { deviceId, gateways, seconds }: { deviceId: number; gateways: readonly string[]; seconds: number },
): Promise<void> {
  const older = (column: string) => `${column} = ${column} - $2 * interval '1 second'`;
  for (const [table, columns] of Object.entries(TIMES)) {
    await tx.query({
      name: `age-${table}`,
      text: `update ${table} set ${columns.map(older).join(', ')} where device_id = $1`,
      values: [deviceId, seconds],
    });
  }
  await tx.query({
    name: 'age-cursor',
    text: `update gateway_cursor set ${older('clock')} where gateway = any($1::text[])`,
    values: [`{${gateways.join(',')}}`, seconds],
  });
  await tx.query({
    name: 'age-lease',
    text: `update gateway_lease set ${older('lease_until')} where gateway = any($1::text[])`,
    values: [`{${gateways.join(',')}}`, seconds],
  });
}

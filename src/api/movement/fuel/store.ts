import type pg from 'pg';
import { copyAsTenant, formatTimestamp } from '../../../platform/postgres/index.ts';
import type { FuelSample } from '../../../track/fuel.ts';
import { readTime } from '../fixes/columns.ts';
import type { Stretch } from '../fixes/store.ts';

/**
 * Readings of one numeric attribute, in order. `attribute` is a name of letters and digits. Looking for it in the text
 * comes first: most records have none, and are not parsed then.
 */
export async function readLevels(
  streams: pg.Pool,
  tenantId: number,
  { deviceId, from, to }: Stretch,
  attribute: string,
  add: (sample: FuelSample) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(attribute)) return;
  const numbers = [deviceId, tenantId].map((id) => String(Math.trunc(id)));
  const text = `copy (select time, (attributes->>'${attribute}')::float8, latitude, longitude from position
    where device_id = ${numbers[0]} and tenant_id = ${numbers[1]} and time >= '${formatTimestamp(from)}'::timestamptz
      and time <= '${formatTimestamp(to)}'::timestamptz and attributes::text like '%"${attribute}"%'
      and json_typeof(attributes->'${attribute}') = 'number'
    order by time, id) to stdout (format binary)`;
  await copyAsTenant(
    streams,
    tenantId,
    text,
    {
      row(view, at) {
        const hasPlace = view.getInt32(at + 26) >= 0;
        const second = at + 30 + (hasPlace ? 8 : 0);
        add({
          at: readTime(view, at + 6),
          level: view.getFloat64(at + 18),
          latitude: hasPlace ? view.getFloat64(at + 30) : undefined,
          longitude: hasPlace && view.getInt32(second) >= 0 ? view.getFloat64(second + 4) : undefined,
        });
      },
    },
    signal,
  );
}

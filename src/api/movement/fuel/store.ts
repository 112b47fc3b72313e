import type pg from 'pg';
import { copyAsTenant, formatTimestamp } from '../../../platform/postgres/index.ts';
import type { FuelSample } from '../../../track/fuel.ts';
import { readTime } from '../fixes/columns.ts';
import type { Stretch } from '../fixes/store.ts';

/**
 * Readings of one numeric attribute, in order. `attribute` is a name of letters and digits. Looking for it in the text
 * comes first: most records have none, and are not parsed then; the others are once, and what came out is read here.
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
  const text = `copy (select time, (attributes->'${attribute}')::text, latitude, longitude from position
    where device_id = ${numbers[0]} and tenant_id = ${numbers[1]} and time >= '${formatTimestamp(from)}'::timestamptz
      and time <= '${formatTimestamp(to)}'::timestamptz and strpos(attributes::text, '"${attribute}"') > 0
    order by time, id) to stdout (format binary)`;
  await copyAsTenant(
    streams,
    tenantId,
    text,
    {
      row(view, at) {
        const length = view.getInt32(at + 14);
        const level = readNumber(view, at + 18, length);
        if (level === undefined) return;
        const first = at + 18 + length;
        const hasPlace = view.getInt32(first) >= 0;
        const second = first + 4 + (hasPlace ? 8 : 0);
        add({
          at: readTime(view, at + 6),
          level,
          latitude: hasPlace ? view.getFloat64(first + 4) : undefined,
          longitude: hasPlace && view.getInt32(second) >= 0 ? view.getFloat64(second + 4) : undefined,
        });
      },
    },
    signal,
  );
}

/** JSON that is a number; undefined for whatever else it may be, and for none. */
function readNumber(view: DataView, at: number, length: number): number | undefined {
  if (length < 1) return undefined;
  const first = view.getUint8(at);
  if (first !== MINUS && (first < ZERO || first > NINE)) return undefined;
  let text = '';
  for (let i = 0; i < length; i++) text += String.fromCharCode(view.getUint8(at + i));
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

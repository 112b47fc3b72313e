import type pg from 'pg';
import { copyAsTenant, formatTimestamp, queryAsTenant } from '../../../platform/postgres/index.ts';
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
  const text = `copy (select time, (attributes->'${attribute}')::text, latitude, longitude, speed, ignition from position
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
        const hasSecond = view.getInt32(second) >= 0;
        const third = second + 4 + (hasSecond ? 8 : 0);
        const hasSpeed = view.getInt32(third) >= 0;
        const fourth = third + 4 + (hasSpeed ? 8 : 0);
        add({
          at: readTime(view, at + 6),
          level,
          latitude: hasPlace ? view.getFloat64(first + 4) : undefined,
          longitude: hasPlace && hasSecond ? view.getFloat64(second + 4) : undefined,
          speed: hasSpeed ? view.getFloat64(third + 4) : undefined,
          ignition: view.getInt32(fourth) < 0 ? undefined : view.getInt8(fourth + 4) !== 0,
        });
      },
    },
    signal,
  );
}

/** Names of the attributes of the newest records of an interval. */
export async function readAttributeNames(
  app: pg.Pool,
  tenantId: number,
  { deviceId, from, to }: Stretch,
): Promise<readonly string[]> {
  const rows = await queryAsTenant<{ name: string }>(app, tenantId, {
    name: 'read-attribute-names',
    text: `select distinct name from (
             select attributes from position
             where device_id = $2 and tenant_id = $1 and time >= $3 and time <= $4 order by time desc limit 20
           ) p, json_object_keys(p.attributes) as name order by name`,
    values: [tenantId, deviceId, formatTimestamp(from), formatTimestamp(to)],
  });
  return rows.map(({ name }) => name);
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

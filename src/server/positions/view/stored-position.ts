import { z } from 'zod';
import type { DeviceEntry } from '../../../contract/events.ts';
import type { StoredPosition } from '../../../contract/internal.ts';
import { toInstant } from '../../kernel/http/index.ts';

/** A record as the database gives it: times in epoch ms, JSON parsed. */
export interface ReadRow {
  readonly imei: string;
  readonly time: number;
  readonly id: Buffer;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speed: number | null;
  readonly course: number | null;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly altitude: number | null;
  readonly accuracy: number | null;
  readonly deviceTime: number | null;
  readonly fixTime: number | null;
  readonly serverTime: number;
  readonly protocol: string | null;
  readonly network: StoredPosition['network'] | null;
  readonly attributes: StoredPosition['attributes'];
  readonly clockSuspect?: boolean | undefined;
}

/** `include=named` of a query. */
export const namedIncluded = z
  .literal('named')
  .transform((name) => new Set([name]))
  .optional()
  .describe('`named`: elements by their vendor’s names, with scaled values and units, where the protocol names them');

/** What a vendor calls the elements of a record; undefined if its protocol names none. */
export type NameElements = (
  protocol: string,
  attributes: StoredPosition['attributes'],
  options: DeviceEntry['options'] & {},
) => StoredPosition['named'];

/** The same with the names of its elements, by the options of the device. */
export function toNamedPosition(
  row: ReadRow,
  name: NameElements,
  options: DeviceEntry['options'] | null,
): StoredPosition {
  const position = toStoredPosition(row);
  const named = name(row.protocol ?? '', row.attributes, options ?? {});
  return named === undefined ? position : { ...position, named };
}

const ID_CHARACTERS = 22;
export const idText = (id: Buffer): string => id.toString('base64url').slice(0, ID_CHARACTERS);

/** Converts a row to the shape of the API; absent values are omitted. */
export function toStoredPosition(row: ReadRow): StoredPosition {
  const optional = <K extends string, V>(name: K, value: V | null | undefined) =>
    value === null || value === undefined ? {} : ({ [name]: value } as { [key in K]: V });
  const instant = (epochMs: number | null): string | null => (epochMs === null ? null : toInstant(epochMs));
  return {
    id: idText(row.id),
    imei: row.imei,
    ...optional('protocol', row.protocol),
    ...optional('deviceTime', instant(row.deviceTime)),
    ...optional('fixTime', instant(row.fixTime)),
    serverTime: toInstant(row.serverTime),
    valid: row.valid,
    ...(row.outdated ? { outdated: true as const } : {}),
    ...(row.clockSuspect === true ? { clockSuspect: true as const } : {}),
    ...optional('implausible', reasonOf(row)),
    ...optional('latitude', row.latitude),
    ...optional('longitude', row.longitude),
    ...optional('altitude', row.altitude),
    ...optional('speed', row.speed),
    ...optional('course', row.course),
    ...optional('accuracy', row.accuracy),
    ...optional('network', row.network),
    attributes: row.attributes,
  };
}

/** Why the time or the place of a record does not count. */
function reasonOf({ clockSuspect, time, serverTime, valid, latitude, longitude, attributes }: ReadRow): Reason | null {
  if (clockSuspect === true) return time > serverTime ? 'time-ahead' : 'time-apart';
  if (valid) return null;
  if (latitude === 0 && longitude === 0) return 'zero-coordinates';
  return attributes['implausible'] === 'jump' ? 'jump' : null;
}
type Reason = NonNullable<StoredPosition['implausible']>;

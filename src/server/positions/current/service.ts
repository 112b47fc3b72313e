import type pg from 'pg';
import type { StoredPosition } from '../../../contract/internal.ts';
import { lookUpInBatches } from '../../../platform/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { toInstant, toInstantOrNull } from '../../kernel/http/index.ts';
import { type NameElements, type ReadRow, toNamedPosition, toStoredPosition } from '../view/index.ts';
import { readNewest, readStates, type StateRow } from './store.ts';

export interface CurrentPosition {
  readonly position: StoredPosition & {
    ageMs: number;
    online: boolean;
    targa: string | null;
    geofences: { id: string; name: string; since: string }[];
  };
  /** epoch ms */
  readonly modifiedAt: number;
}

export interface DeviceState {
  readonly imei: string;
  readonly online: boolean;
  readonly lastSeen: string | null;
  readonly lastFix: StoredPosition | null;
  readonly attributes: Record<string, { value: string | number | boolean; time: string }>;
}

export interface PositionQuery {
  readonly maxAgeMs?: number | undefined;
  readonly include?: ReadonlySet<'named'> | undefined;
}

export interface CurrentPositionService {
  /**
   * The last record of a device that has a fix. With `maxAgeMs` a fix that is older counts as none. Throws AppError
   * `unknown-device`, `no-position-yet`.
   */
  position(tenantId: number, imei: string, query: PositionQuery): Promise<CurrentPosition>;
  /** The last fix and the last value of each attribute. Throws AppError `unknown-device`. */
  state(tenantId: number, imei: string): Promise<DeviceState>;
}

/** Statements of one tenant at a time. */
const IN_FLIGHT = { inFlight: 2 };

export function createCurrentPositionService(
  app: pg.Pool,
  clock: Clock,
  name: NameElements = () => undefined,
): CurrentPositionService {
  const read = lookUpInBatches((tenantId, imeis) => readNewest(app, tenantId, imeis, false), IN_FLIGHT);
  const readWithOptions = lookUpInBatches((tenantId, imeis) => readNewest(app, tenantId, imeis, true), IN_FLIGHT);
  return {
    async position(tenantId, imei, { maxAgeMs, include }) {
      const isNamed = include?.has('named') === true;
      const row = await (isNamed ? readWithOptions : read)(tenantId, imei);
      if (row === undefined) throw new AppError('unknown-device');
      const { locatedAt, online, targa, geofences } = row;
      if (locatedAt === null) throw new AppError('no-position-yet');
      const ageMs = Math.max(0, clock.now() - locatedAt);
      if (maxAgeMs !== undefined && ageMs > maxAgeMs) {
        throw new AppError('no-position-yet', `The newest position is ${ageMs} ms old`);
      }
      const fix = { ...row, time: locatedAt } as ReadRow;
      const position = isNamed ? toNamedPosition(fix, name, row.options) : toStoredPosition(fix);
      const inside = (geofences ?? []).map(({ since, ...fence }) => ({ ...fence, since: toInstant(since) }));
      return { position: { ...position, ageMs, online, targa, geofences: inside }, modifiedAt: row.serverTime };
    },
    async state(tenantId, imei) {
      const row = (await readStates(app, tenantId, [imei]))[0];
      if (row === undefined) throw new AppError('unknown-device');
      const { locatedAt, online, seenAt } = row;
      const lastFix = locatedAt === null ? null : toStoredPosition({ ...row, time: locatedAt } as ReadRow);
      const attributes = lastValues(row);
      return { imei, online, lastSeen: toInstantOrNull(seenAt), lastFix, attributes };
    },
  };
}

/** The newest value of each attribute, from the last fix or from later records. */
function lastValues({ known, attributes: ofFix, valuesAt }: StateRow): DeviceState['attributes'] {
  const last = new Map<string, { value: string | number | boolean; time: string }>();
  const values = (ofFix ?? {}) as Readonly<Record<string, string | number | boolean>>;
  if (valuesAt !== null) {
    for (const [key, value] of Object.entries(values)) last.set(key, { value, time: toInstant(valuesAt) });
  }
  for (const [key, [value, at]] of Object.entries(known ?? {})) {
    if (valuesAt === null || at > valuesAt || !last.has(key)) last.set(key, { value, time: toInstant(at) });
  }
  return Object.fromEntries(last);
}

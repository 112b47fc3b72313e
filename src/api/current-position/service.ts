import type pg from 'pg';
import type { StoredPosition } from '../../contract/internal.ts';
import { lookUpInBatches } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { type NameElements, type ReadRow, toNamedPosition, toStoredPosition } from '../position-view/index.ts';
import { readNewest } from './store.ts';

export interface CurrentPosition {
  readonly position: StoredPosition & { ageMs: number; online: boolean; targa: string | null };
  /** epoch ms */
  readonly modifiedAt: number;
}

export interface PositionQuery {
  readonly maxAgeMs?: number | undefined;
  readonly include?: ReadonlySet<'named'> | undefined;
}

export interface CurrentPositionService {
  /**
   * The newest record of a device. Where it carries no fix, the newest fix stands in for its coordinates, `fixTime`
   * and `valid`, and it says `outdated`. With `maxAgeMs` a fix that is older counts as none. Throws AppError
   * `unknown-device`, `no-position-yet`.
   */
  position(tenantId: number, imei: string, query: PositionQuery): Promise<CurrentPosition>;
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
      const { time, locatedAt, online, targa } = row;
      if (time === null) throw new AppError('no-position-yet');
      const shownAt = locatedAt ?? time;
      const ageMs = Math.max(0, clock.now() - shownAt);
      if (maxAgeMs !== undefined && ageMs > maxAgeMs) {
        throw new AppError('no-position-yet', `The newest position is ${ageMs} ms old`);
      }
      // coordinates of an earlier record are not this one's own
      const outdated = row.outdated || (locatedAt !== null && locatedAt !== time);
      const newest = { ...row, outdated, time } as ReadRow;
      const position = isNamed ? toNamedPosition(newest, name, row.options) : toStoredPosition(newest);
      return { position: { ...position, ageMs, online, targa }, modifiedAt: row.serverTime };
    },
  };
}

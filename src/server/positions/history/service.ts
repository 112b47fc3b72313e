import type pg from 'pg';
import type { StoredPosition } from '../../../contract/internal.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Cursors, EARLIEST, LATEST, toPage } from '../../kernel/http/index.ts';
import { type NameElements, toNamedPosition, toStoredPosition } from '../view/index.ts';
import { readTrack, type TrackRow } from './store.ts';

export interface TrackRequest {
  readonly imei: string;
  /** epoch ms, both ends included */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly clockSuspect?: boolean | undefined;
  readonly include?: ReadonlySet<'named'> | undefined;
}

export interface HistoryService {
  /** Records of a device, oldest first. Throws AppError `unknown-device`, `from-after-to`, `bad-cursor`. */
  track(tenantId: number, request: TrackRequest): Promise<{ items: StoredPosition[]; nextCursor: string | null }>;
}

export function createHistoryService(
  app: pg.Pool,
  cursors: Cursors,
  name: NameElements = () => undefined,
): HistoryService {
  const withNames = (row: TrackRow): StoredPosition => toNamedPosition(row, name, row.options ?? null);
  return {
    async track(tenantId, { imei, from = EARLIEST, to = LATEST, limit, cursor, include, clockSuspect = false }) {
      const withOptions = include?.has('named') === true;
      if (from > to) throw new AppError('from-after-to');
      const filter = ['track', tenantId, imei, from, to, ...(clockSuspect ? ['clockSuspect'] : [])];
      const [time, id] = cursor === undefined ? [] : cursors.read(cursor, filter);
      const after = time === undefined ? undefined : { time: Number(time), id: String(id) };
      const rows = await readTrack(app, tenantId, {
        imei,
        from,
        to,
        after,
        withOptions,
        clockSuspect,
        limit: limit + 1,
      });
      if (rows === undefined) throw new AppError('unknown-device');
      return toPage(rows, limit, withOptions ? withNames : toStoredPosition, (row) =>
        cursors.write([row.time, row.id.toString('hex')], filter),
      );
    },
  };
}

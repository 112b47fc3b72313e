import type pg from 'pg';
import { AppError } from '../../platform/errors.ts';
import { type Cursors, EARLIEST, LATEST, toInstant, toPage } from '../http/index.ts';
import type { TrackRequest } from '../position-history/index.ts';
import { decodeFrames, type FrameContents } from './frames.ts';
import type { FrameDecoder, TimelineEntry } from './schema.ts';
import { readTimeline, type TimelineRow } from './store.ts';

export interface TimelineService {
  /** What happened on the wire, oldest first. Throws AppError `unknown-device`, `from-after-to`, `bad-cursor`. */
  read(tenantId: number, request: TrackRequest): Promise<{ items: TimelineEntry[]; nextCursor: string | null }>;
}

export function createTimelineService(app: pg.Pool, cursors: Cursors, decode: FrameDecoder): TimelineService {
  return {
    async read(tenantId, { imei, from = EARLIEST, to = LATEST, limit, cursor }) {
      if (from > to) throw new AppError('from-after-to');
      const filter = ['timeline', tenantId, imei, from, to];
      const [at, id] = cursor === undefined ? [] : cursors.read(cursor, filter);
      const after = at === undefined ? undefined : { at: Number(at), id: Number(id) };
      const rows = await readTimeline(app, tenantId, { imei, from, to, after, limit: limit + 1 });
      if (rows === undefined) throw new AppError('unknown-device');
      const contents = await decodeFrames(app, { tenantId, imei }, rows.slice(0, limit), decode);
      return toPage(
        rows,
        limit,
        (row) => present(row, contents),
        (row) => cursors.write([row.at!, row.id], filter),
      );
    },
  };
}

function present(row: TimelineRow, contents: FrameContents): TimelineEntry {
  const { at, kind, gateway, conn, protocol, transport, remote, detail } = row;
  const bytes = contents.isShared(row) ? null : row.bytes;
  return {
    at: toInstant(at!),
    kind,
    gateway,
    conn,
    protocol,
    transport,
    remote,
    hex: bytes === null ? null : bytes.toString('hex'),
    text: bytes === null ? null : printable(bytes),
    decoded: contents.decodedOf(row) ?? null,
    detail,
  };
}

/** ASCII with line ends, as text protocols send. */
function printable(bytes: Buffer): string | null {
  for (const byte of bytes)
    if ((byte < 0x20 && byte !== 0x0d && byte !== 0x0a && byte !== 0x09) || byte > 0x7e) return null;
  return bytes.toString('latin1');
}

import type pg from 'pg';
import { AppError } from '../../../platform/errors.ts';
import { type Cursors, EARLIEST, LATEST, toInstant, toPage } from '../../kernel/http/index.ts';
import type { TrackRequest } from '../../positions/history/index.ts';
import { decodeFrames, type FrameContents } from './frames.ts';
import type { FrameDecoder, FrameSpan, TimelineEntry } from './schema.ts';
import { readTimeline, type TimelineRow } from './store.ts';

/** Limits pages with `fields`: finding the field of each byte decodes a frame once per byte. */
const MAX_ENTRIES_WITH_FIELDS = 5;

export interface TimelineRequest extends TrackRequest {
  readonly fields?: boolean | undefined;
}

export interface TimelineService {
  /**
   * Frames, sessions and commands of a device, oldest first. Throws AppError `unknown-device`, `from-after-to`,
   * `bad-cursor`.
   */
  read(tenantId: number, request: TimelineRequest): Promise<{ items: TimelineEntry[]; nextCursor: string | null }>;
}

export function createTimelineService(app: pg.Pool, cursors: Cursors, decode: FrameDecoder): TimelineService {
  return {
    async read(tenantId, { imei, from = EARLIEST, to = LATEST, limit: wanted, cursor, fields = false }) {
      const limit = fields ? Math.min(wanted, MAX_ENTRIES_WITH_FIELDS) : wanted;
      if (from > to) throw new AppError('from-after-to');
      const filter = ['timeline', tenantId, imei, from, to];
      const [at, id] = cursor === undefined ? [] : cursors.read(cursor, filter);
      const after = at === undefined ? undefined : { at: Number(at), id: Number(id) };
      const rows = await readTimeline(app, tenantId, { imei, from, to, after, limit: limit + 1 });
      if (rows === undefined) throw new AppError('unknown-device');
      const contents = await decodeFrames(app, { tenantId, imei }, rows.slice(0, limit), decode);
      const spans = fields ? await readSpans(rows.slice(0, limit), contents) : undefined;
      return toPage(
        rows,
        limit,
        (row) => ({ ...present(row, contents), ...(spans === undefined ? {} : { spans: spans.get(row) ?? null }) }),
        (row) => cursors.write([row.at!, row.id], filter),
      );
    },
  };
}

async function readSpans(
  rows: readonly TimelineRow[],
  contents: FrameContents,
): Promise<Map<TimelineRow, FrameSpan[]>> {
  const spans = new Map<TimelineRow, FrameSpan[]>();
  for (const row of rows) {
    const found = contents.isShared(row) ? undefined : await contents.spansOf(row);
    if (found !== undefined) spans.set(row, [...found]);
  }
  return spans;
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

import type pg from 'pg';
import type { ConnectionDecoder, DecodedFrame, FrameContent, FrameDecoder, FrameSpan } from './schema.ts';
import { type ConnectionFrame, readConnection, readVisible, type TimelineRow } from './store.ts';

/** Connections of a page whose frames before the page are read; normally one is open at its beginning. */
const MAX_CONTINUED = 4;

/** What the frames of a page contain. A frame that carries messages of devices that the caller may not read is `isShared`. */
export interface FrameContents {
  decodedOf(row: TimelineRow): DecodedFrame | undefined;
  isShared(row: TimelineRow): boolean;
  spansOf(row: TimelineRow): Promise<readonly FrameSpan[] | undefined>;
}

interface Subject {
  readonly tenantId: number;
  readonly imei: string;
}

const isFrame = ({ kind }: { kind: string }): boolean => kind === 'frame' || kind === 'frame-undecoded';

/** Decodes the frames of a page in their order, with the frames of their connections before it. */
export async function decodeFrames(
  app: pg.Pool,
  { tenantId, imei }: Subject,
  rows: readonly TimelineRow[],
  decode: FrameDecoder,
): Promise<FrameContents> {
  const decoders = new Map<string, ConnectionDecoder | undefined>();
  const contents = new Map<TimelineRow, FrameContent>();
  const opened = new Set<string>();
  let continued = 0;
  for (const row of rows) {
    const { bytes, protocol, transport, options } = row;
    const connection = `${row.gateway} ${row.conn} ${protocol}`;
    if (row.kind === 'session-opened') opened.add(connection);
    if (!isFrame(row) || bytes === null || protocol === null || transport === null) continue;
    if (!decoders.has(connection)) {
      const decoder = decode({ protocol, transport, deviceId: imei, options });
      const isContinued = decoder !== undefined && !opened.has(connection) && continued++ < MAX_CONTINUED;
      const before = isContinued ? await readConnection(app, tenantId, row) : [];
      for (const frame of before) if (isWhole(frame)) decoder?.(frame);
      decoders.set(connection, decoder);
    }
    const content = decoders.get(connection)?.({ bytes, at: row.at! });
    if (content !== undefined) contents.set(row, content);
  }
  const others = new Set([...contents.values()].flatMap((content) => content.others));
  const visible = others.size === 0 ? others : await readVisible(app, tenantId, [...others]);
  return {
    decodedOf: (row) => contents.get(row)?.decoded,
    spansOf: async (row) => contents.get(row)?.spans(),
    isShared: (row) => contents.get(row)?.others.some((id) => !visible.has(id)) === true,
  };
}

const isWhole = (frame: ConnectionFrame): frame is ConnectionFrame & { bytes: Buffer } => frame.bytes !== null;

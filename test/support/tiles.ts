import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TileServer {
  readonly origin: string;
  /** path of each request, in their order */
  readonly asked: string[];
  close(): void;
}

type File = Uint8Array | object;

/** Files for pages of other origins, whole or by ranges of bytes. A path that ends in `*` is the beginning of paths. */
export async function serveTiles(files: (origin: string) => Readonly<Record<string, File>>): Promise<TileServer> {
  const asked: string[] = [];
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'range' };
  const server: Server = createServer((request, response) => {
    const path = request.url!;
    if (request.method === 'OPTIONS') {
      response.writeHead(204, cors).end();
      return;
    }
    asked.push(path);
    const known = Object.entries(files(origin));
    const file = known.find(
      ([name]) => name === path || (name.endsWith('*') && path.startsWith(name.slice(0, -1))),
    )?.[1];
    if (file === undefined) {
      response.writeHead(404, cors).end();
      return;
    }
    const bytes = file instanceof Uint8Array ? file : Buffer.from(JSON.stringify(file));
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (range === null) {
      response.writeHead(200, { ...cors, 'content-length': bytes.length }).end(bytes);
      return;
    }
    const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
    const part = bytes.subarray(from, to + 1);
    const contentRange = { 'content-range': `bytes ${from}-${to}/${bytes.length}`, 'content-length': part.length };
    response.writeHead(206, { ...cors, ...contentRange }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, asked, close: () => void server.close() };
}

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const zigzag = (value: number): number => (value << 1) ^ (value >> 31);
const field = (number: number, bytes: readonly number[]): number[] => [
  (number << 3) | 2,
  ...varint(bytes.length),
  ...bytes,
];
const EXTENT = 4_096;

/** A Mapbox Vector Tile (2.1) of one layer that one polygon fills. */
export function filledTile(layer: string): Uint8Array {
  const corners = [0, 0, EXTENT, 0, 0, EXTENT, -EXTENT, 0];
  const [first, second] = [corners.slice(0, 2), corners.slice(2)];
  // move to, three times line to, close path
  const geometry = [9, ...first.map(zigzag), 26, ...second.map(zigzag), 15].flatMap(varint);
  const feature = [0x18, 3, ...field(4, geometry)];
  const name = [...Buffer.from(layer)];
  const body = [0x78, 2, ...field(1, name), ...field(2, feature), 0x28, ...varint(EXTENT)];
  return Uint8Array.from(field(3, body));
}

const HEADER_BYTES = 127;

/** A PMTiles archive (version 3) of the world as one tile; `type`: 1 vector tiles, 2 PNG. */
export function archiveOf(tile: Uint8Array, type: 1 | 2, metadata: object): Uint8Array {
  // one entry: tile 0, run of 1, its length, at offset 0
  const directory = Buffer.from([1, 0, 1, ...varint(tile.length), 1]);
  const json = Buffer.from(JSON.stringify(metadata));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header[7] = 3;
  const jsonAt = HEADER_BYTES + directory.length;
  const tilesAt = jsonAt + json.length;
  const parts = [HEADER_BYTES, directory.length, jsonAt, json.length, tilesAt, 0, tilesAt, tile.length, 1, 1, 1];
  for (const [n, value] of parts.entries()) header.writeBigUInt64LE(BigInt(value), 8 + n * 8);
  // clustered, without compression
  header.set([1, 1, 1, type, 0, 0], 96);
  for (const [n, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + n * 4);
  return Buffer.concat([header, directory, json, tile]);
}

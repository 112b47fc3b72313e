import { type Catalogue, loadCatalogue } from '../codec/catalogue/index.ts';
import { encodePosition, normalise } from '../contract/telemetry/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../server/database/index.ts';
import type { History } from '../server/history/index.ts';
import {
  type Applied,
  type ApplyDeps,
  applyRedecoded,
  type PositionDecoder,
  type RedecodeReport,
  redecode,
} from '../server/index.ts';
import { messagesOf, readConnection } from './decode-frame.ts';
import { VERSION } from './version.ts';

/** Positions of stored frames as a gateway makes them. */
export function createPositionDecoder(catalogue: Catalogue): PositionDecoder {
  return (connection) => {
    const read = readConnection(catalogue, connection);
    if (read === undefined) return undefined;
    const { deviceId, protocol } = connection;
    return (frame) =>
      read(frame)
        .steps.flatMap(messagesOf)
        .flatMap((message) => {
          if (message.type !== 'position' || (message.deviceId ?? deviceId) !== deviceId) return [];
          const position = normalise(message);
          const { id, json } = encodePosition(deviceId, protocol, position, frame.at);
          return [{ id, time: position.fixTime ?? position.deviceTime ?? frame.at, position: JSON.parse(json) }];
        });
  };
}

interface Query {
  readonly protocol: string;
  readonly from: number;
  readonly to: number;
}

/** Compares what is stored with what today's decoder gives for the frames that are kept. */
export async function redecodeFrames(
  database: Database,
  history: History,
  query: Query,
  progress: (devices: number, of: number) => void,
): Promise<RedecodeReport | undefined> {
  const catalogue = await loadCatalogue();
  if (catalogue.byId(query.protocol) === undefined) return undefined;
  const decode = createPositionDecoder(catalogue);
  return redecode(query, { pools: database, decode, frames: history.frames, progress });
}

export interface ApplyOptions {
  readonly knownLimits: ApplyDeps['knownLimits'];
  readonly clockLimits: ApplyDeps['clockLimits'];
  /** epoch ms: positions that arrived since then stay rows, also where their day has a file */
  readonly arrivedBefore: number;
  /** default: the decoders of this program */
  readonly catalogue?: Catalogue | undefined;
  readonly progress?: (devices: number, of: number) => void;
  readonly replaced?: (day: string, positions: number) => void;
}

/**
 * Decodes again and replaces stored positions. `busy`: another process works on past positions. Undefined: unknown
 * protocol.
 */
export async function applyFrames(
  database: Database,
  history: History,
  query: Query,
  { knownLimits, clockLimits, arrivedBefore, catalogue, progress, replaced }: ApplyOptions,
): Promise<Applied | 'busy' | undefined> {
  const loaded = catalogue ?? (await loadCatalogue());
  if (loaded.byId(query.protocol) === undefined) return undefined;
  const applied = await applyRedecoded(query, {
    pools: database,
    decode: createPositionDecoder(loaded),
    history,
    frames: history.frames,
    clock: systemClock,
    knownLimits,
    clockLimits,
    version: VERSION,
    arrivedBefore,
    ...(progress === undefined ? {} : { progress }),
    ...(replaced === undefined ? {} : { replaced: ({ day }, positions) => replaced(day, positions) }),
  });
  return applied ?? 'busy';
}

import { type PositionDecoder, type RedecodeReport, redecode } from '../api/index.ts';
import { type Catalogue, loadCatalogue } from '../catalogue/index.ts';
import type { Database } from '../platform/postgres/index.ts';
import { encodePosition, normalise } from '../telemetry/index.ts';
import { messagesOf, readConnection } from './decode-frame.ts';

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

/** Compares what is stored with what today's decoder gives for the frames that are kept. */
export async function redecodeFrames(
  database: Database,
  query: { readonly protocol: string; readonly from: number; readonly to: number },
  progress?: (devices: number, of: number) => void,
): Promise<RedecodeReport | undefined> {
  const catalogue = await loadCatalogue();
  if (catalogue.byId(query.protocol) === undefined) return undefined;
  return redecode(query, {
    pools: database,
    decode: createPositionDecoder(catalogue),
    ...(progress === undefined ? {} : { progress }),
  });
}

import type { Position } from '#codec';
import { idOf, packPosition, positionJson } from './packed/index.ts';

/** A position as JSON text (the vocabulary; times RFC 3339 UTC), with the identity that a gateway gives it. */
export interface EncodedPosition {
  readonly id: string;
  readonly json: string;
}

/** Encodes a record of a device as JSON text. */
export function encodePosition(deviceId: string, protocol: string, p: Position, serverTime: number): EncodedPosition {
  const packed = packPosition(deviceId, protocol, p, serverTime);
  return { id: idOf(packed), json: positionJson(packed) };
}

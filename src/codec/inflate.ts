import { inflateSync } from 'node:zlib';
import { CodecError } from './errors.ts';

/** The content of a zlib stream (RFC 1950), at most `mostBytes` of it. Throws CodecError `bad-value` for another one. */
export function inflate(bytes: Uint8Array, mostBytes: number): Uint8Array {
  try {
    return new Uint8Array(inflateSync(bytes, { maxOutputLength: mostBytes }));
  } catch (error) {
    throw new CodecError('bad-value', `no zlib stream: ${(error as Error).message}`);
  }
}

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';

/** Length and checksum (hex) of an object as it is stored. */
export interface Measured {
  readonly bytes: number;
  readonly sha256: string;
}

/** Where objects lie: a folder, or a bucket below a prefix. An object is there as a whole or not at all. */
export interface Place {
  readonly name: string;
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<Measured>;
  /** Throws if there is no such object. */
  read(path: string): Promise<Readable>;
  /** paths of all objects below the folder `under`, sorted */
  list(under: string): Promise<string[]>;
  /** An object that does not exist is no error. */
  remove(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Measures what passes. */
export function measure(): {
  readonly pass: (content: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
  readonly result: () => Measured;
} {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *pass(content) {
      for await (const piece of content) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}

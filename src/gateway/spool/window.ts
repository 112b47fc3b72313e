import type { Segment } from './segment.ts';

/** Consecutive bytes of a segment; `buffer[0]` is at `offset` of the segment. */
export interface Chunk {
  readonly segment: Segment;
  readonly offset: number;
  readonly buffer: Buffer;
  used: number;
  /** bytes of it that are durable, and may be read */
  synced: number;
  /** number of readers that use it */
  readers: number;
}

export const CHUNK_BYTES = 1024 * 1024;
const SPARE_CHUNKS = 2;

/** The newest bytes of the log in memory, so that new records are not read from disk. */
export class Window {
  readonly #chunks: Chunk[] = [];
  readonly #maxBytes: number;
  readonly #spare: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Chunk): void {
    if (this.#chunks.at(-1) === chunk) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.buffer.length;
    while (this.#bytes > this.#maxBytes && this.#chunks.length > 1) this.#drop(this.#chunks.shift()!);
  }

  /** An empty chunk. Its buffer is reused if possible: new ones cost page faults and garbage collection. */
  newChunk(segment: Segment, offset: number, leastBytes: number): Chunk {
    const spare = leastBytes <= CHUNK_BYTES ? this.#spare.pop() : undefined;
    const buffer = spare ?? Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, leastBytes));
    return { segment, offset, buffer, used: 0, synced: 0, readers: 0 };
  }

  #drop(chunk: Chunk): void {
    this.#bytes -= chunk.buffer.length;
    const isReusable = chunk.readers === 0 && chunk.buffer.length === CHUNK_BYTES;
    if (isReusable && this.#spare.length < SPARE_CHUNKS) this.#spare.push(chunk.buffer);
  }

  /** The chunk whose durable bytes contain this offset; undefined if it is not in memory. */
  find(segment: Segment, offset: number): Chunk | undefined {
    for (let index = this.#chunks.length - 1; index >= 0; index--) {
      const chunk = this.#chunks[index]!;
      if (chunk.segment === segment && offset >= chunk.offset && offset < chunk.offset + chunk.synced) return chunk;
    }
    return undefined;
  }
}

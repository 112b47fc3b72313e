import type { Segment } from './segment.ts';

/** A stretch of one segment as it was written: `buffer[0]` stands at `offset` of the segment. */
export interface Chunk {
  readonly segment: Segment;
  readonly offset: number;
  readonly buffer: Buffer;
  used: number;
  /** how much of it is safe on disk, and may be read */
  synced: number;
  /** readers that stand in it */
  readers: number;
}

export const CHUNK_BYTES = 1024 * 1024;
const SPARE_CHUNKS = 2;

/** The newest bytes of the log, kept in memory so that fresh records are not read back from disk. */
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

  /** An empty chunk; its buffer may have served before, since fresh ones cost page faults and collections. */
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

  /** The chunk whose safe bytes hold this place. */
  find(segment: Segment, offset: number): Chunk | undefined {
    for (let index = this.#chunks.length - 1; index >= 0; index--) {
      const chunk = this.#chunks[index]!;
      if (chunk.segment === segment && offset >= chunk.offset && offset < chunk.offset + chunk.synced) return chunk;
    }
    return undefined;
  }
}

import type { Segment } from './segment.ts';

/** A stretch of one segment as it was written: `buffer[0]` stands at `offset` of the segment. */
export interface Chunk {
  readonly segment: Segment;
  readonly offset: number;
  readonly buffer: Buffer;
  used: number;
  /** how much of it is safe on disk, and may be read */
  synced: number;
}

/** The newest bytes of the log, kept in memory so that fresh records are not read back from disk. */
export class Window {
  readonly #chunks: Chunk[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Chunk): void {
    if (this.#chunks.at(-1) === chunk) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.buffer.length;
    while (this.#bytes > this.#maxBytes && this.#chunks.length > 1) this.#bytes -= this.#chunks.shift()!.buffer.length;
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

/** Room for the columns of one batch, given out piece by piece and taken back as a whole. */
export interface Arena {
  /** Uninitialized memory; allocated separately if the arena is full. */
  take(bytes: number): Buffer;
}

/** Some arenas that are used over and over. */
export interface Arenas {
  borrow(): Arena;
  /** Releases all memory that was taken from it. */
  release(arena: Arena): void;
}

class Block implements Arena {
  readonly #bytes: Buffer;
  #used = 0;

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  take(bytes: number): Buffer {
    const end = this.#used + bytes;
    if (end > this.#bytes.length) return Buffer.allocUnsafeSlow(bytes);
    const piece = this.#bytes.subarray(this.#used, end);
    this.#used = end;
    return piece;
  }

  clear(): void {
    this.#used = 0;
  }
}

/**
 * Memory outside of the engine's heap is given back by whole collections of it: batch after batch of fresh buffers makes
 * several of them a second. `bytes`: of each arena; `most`: of those that are kept at hand.
 */
export function createArenas(bytes: number, maxFree: number): Arenas {
  const free: Block[] = [];
  return {
    borrow: () => free.pop() ?? new Block(bytes),
    release(arena) {
      if (!(arena instanceof Block) || free.length >= maxFree) return;
      arena.clear();
      free.push(arena);
    },
  };
}

/** Memory of its own for each piece. */
export const ownMemory: Arena = { take: (bytes) => Buffer.allocUnsafeSlow(bytes) };

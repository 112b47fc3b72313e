const NOTHING = new Uint8Array(0);
/** A buffer of one chunk is not kept for a few bytes of it. */
const MIN_CAPACITY_BYTES = 64;

/**
 * Bytes of a stream from which frames are taken at the head. Bytes that were handed out are never written over, so that
 * views of them stay as they are, and a byte is copied about twice at most however many come at once.
 */
export class StreamBuffer {
  #memory: Uint8Array = NOTHING;
  #start = 0;
  #end = 0;
  /** the memory is a caller's chunk: it is not written to, and not kept */
  #isForeign = false;

  get length(): number {
    return this.#end - this.#start;
  }

  /** A view of the bytes; of a chunk that came alone, the chunk itself. */
  get bytes(): Uint8Array {
    const isWhole = this.#start === 0 && this.#end === this.#memory.length;
    return isWhole ? this.#memory : this.#memory.subarray(this.#start, this.#end);
  }

  add(chunk: Uint8Array): void {
    if (this.#start === this.#end) {
      this.#memory = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      this.#isForeign = true;
      return;
    }
    if (this.#isForeign || this.#end + chunk.length > this.#memory.length) this.#move(this.length + chunk.length);
    this.#memory.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Takes bytes from the head. What is left of a chunk is copied, so that a few bytes do not hold all its memory. */
  drop(count: number): void {
    this.#start += count;
    if (this.#start >= this.#end) this.clear();
    else if (this.#isForeign) this.#move(this.length);
  }

  clear(): void {
    this.#memory = NOTHING;
    this.#start = 0;
    this.#end = 0;
    this.#isForeign = false;
  }

  /** Moves the bytes to memory with room for as many again. */
  #move(least: number): void {
    const memory = new Uint8Array(Math.max(least, Math.min(2 * least, least + 65_536), MIN_CAPACITY_BYTES));
    memory.set(this.bytes);
    this.#end = this.length;
    this.#start = 0;
    this.#memory = memory;
    this.#isForeign = false;
  }
}

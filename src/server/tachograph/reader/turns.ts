/** A queue in which owners take turns: each of them has its own order, and none waits for more than one of each other. */
export interface Turns<T> {
  readonly size: number;
  push(owner: number | undefined, item: T): void;
  /** undefined if the queue is empty */
  next(): T | undefined;
}

export function createTurns<T>(): Turns<T> {
  // in the order of their next turns; owners without items are removed
  const lines = new Map<number | undefined, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    push(owner, item) {
      const line = lines.get(owner);
      if (line === undefined) lines.set(owner, [item]);
      else line.push(item);
      size++;
    },
    next() {
      const [first] = lines;
      if (first === undefined) return undefined;
      const [owner, line] = first;
      const item = line.shift();
      lines.delete(owner);
      if (line.length > 0) lines.set(owner, line);
      size--;
      return item;
    },
  };
}

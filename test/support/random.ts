/** Repeatable chance (mulberry32): the same seed gives the same run. */
export interface Random {
  /** 0 ≤ n < max */
  int(max: number): number;
  pick<T>(from: ArrayLike<T>): T;
  bytes(count: number): Uint8Array;
}

export function createRandom(seed: number): Random {
  let a = seed >>> 0;
  const next = (): number => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const int = (max: number): number => Math.floor((next() / 0x1_0000_0000) * max);
  return {
    int,
    pick: (from) => from[int(from.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 0xff),
  };
}

/** A damaged copy: flipped bits, cut ends, inserted or doubled pieces, or spliced with another one. */
export function mutate(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let result = Uint8Array.from(bytes);
  for (let round = random.int(3); round >= 0; round--) result = mutateOnce(result, other, random);
  return result;
}

function mutateOnce(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  const at = random.int(bytes.length + 1);
  switch (random.int(7)) {
    case 0:
    case 1: {
      const changed = Uint8Array.from(bytes);
      for (let flips = random.int(4); flips >= 0 && bytes.length > 0; flips--) {
        changed[random.int(bytes.length)]! ^= 1 << random.int(8);
      }
      return changed;
    }
    case 2: {
      const changed = Uint8Array.from(bytes);
      if (at < bytes.length) changed[at] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.int(256)]);
      return changed;
    }
    case 3:
      return concat(bytes.subarray(0, at));
    case 4:
      return concat(bytes.subarray(at));
    case 5:
      return concat(bytes.subarray(0, at), random.bytes(1 + random.int(8)), bytes.subarray(at));
    default:
      return concat(bytes.subarray(0, at), other.subarray(random.int(other.length + 1)));
  }
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

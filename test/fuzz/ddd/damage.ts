import type { Random } from '../../support/random.ts';

export interface Damaged {
  readonly bytes: Uint8Array;
  /** The first byte that is changed or missing. */
  readonly from: number;
  readonly what: string;
}

export const cutAt = (bytes: Uint8Array, length: number): Damaged => ({
  bytes: bytes.subarray(0, length),
  from: length,
  what: `truncated at ${length}`,
});

const KINDS = ['one byte', 'some bytes', 'a bit', 'a stretch', 'bytes put in', 'bytes taken out'] as const;

/** A random change: of single bytes mostly, of stretches, or of the file's length. */
export function changed(bytes: Uint8Array, random: Random): Damaged {
  const kind = KINDS[random.int(KINDS.length)]!;
  const at = random.int(bytes.length);
  const some = 1 + random.int(16);
  if (kind === 'bytes put in') {
    const more = Uint8Array.from({ length: some }, () => random.int(256));
    return of(kind, at, Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]));
  }
  if (kind === 'bytes taken out') {
    return of(kind, at, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + some)]));
  }
  const copy = Uint8Array.from(bytes);
  if (kind === 'one byte') copy[at] = random.int(256);
  else if (kind === 'a bit') copy[at]! ^= 1 << random.int(8);
  else if (kind === 'a stretch') for (let i = at; i < at + 8 * some && i < copy.length; i++) copy[i] = random.int(256);
  let first = at;
  for (let i = 0; kind === 'some bytes' && i < some; i++) {
    const where = random.int(copy.length);
    copy[where] = random.int(256);
    first = i === 0 ? where : Math.min(first, where);
  }
  return of(kind, first, copy);
}

const of = (kind: string, from: number, bytes: Uint8Array): Damaged => ({ bytes, from, what: `${kind} from ${from}` });

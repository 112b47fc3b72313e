import { type CardBlock, CardSplitter } from '../card/tlv.ts';
import type { Finding, Generation } from '../records.ts';

export type BlockKind = 'interface' | 'overview' | 'day' | 'events' | 'speeds' | 'technical' | 'card';

/** Records of one type in a block. */
export interface Part {
  readonly type: number;
  /** Where it begins, with its count or header. */
  readonly start: number;
  /** Where its first record begins. */
  readonly at: number;
  readonly size: number;
  readonly count: number;
}

export interface UnitBlock {
  /** `7602` */
  readonly trep: string;
  readonly kind: BlockKind;
  readonly generation: Generation;
  readonly at: number;
  readonly end: number;
  /** Damaged or truncated: `parts` lie before `end`, but are incomplete. */
  readonly complete: boolean;
  readonly parts: readonly Part[];
  readonly card?: readonly CardBlock[];
}

const KINDS: readonly BlockKind[] = ['interface', 'overview', 'day', 'events', 'speeds', 'technical', 'card'];
const TREPS: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 6, 0x21, 0x22, 0x23, 0x24, 0x25, 0x31, 0x32, 0x33, 0x35]);

export const SIGNATURE = 0x08;
export const MEMBER_STATE_CERTIFICATE = 0x04;
export const UNIT_CERTIFICATE = 0x0f;

/** Blocks of generation 1: record type, size, bytes of the count; 0 if there is always one. */
export const G1_BLOCKS: Readonly<Record<number, readonly (readonly [type: number, size: number, count: 0 | 1 | 2])[]>> =
  {
    1: [
      [MEMBER_STATE_CERTIFICATE, 194, 0],
      [UNIT_CERTIFICATE, 194, 0],
      [0x0a, 17, 0],
      [0x24, 15, 0],
      [0x03, 4, 0],
      [0x13, 8, 0],
      [0x02, 1, 0],
      [0x14, 58, 0],
      [0x10, 98, 1],
      [0x11, 31, 1],
      [SIGNATURE, 128, 0],
    ],
    2: [
      [0x06, 4, 0],
      [0x05, 3, 0],
      [0x0d, 129, 2],
      [0x01, 2, 2],
      [0x1c, 28, 1],
      [0x09, 5, 2],
      [SIGNATURE, 128, 0],
    ],
    3: [
      [0x18, 82, 1],
      [0x15, 83, 1],
      [0x1a, 9, 0],
      [0x1b, 31, 1],
      [0x1e, 98, 1],
      [SIGNATURE, 128, 0],
    ],
    4: [
      [0x12, 64, 2],
      [SIGNATURE, 128, 0],
    ],
    5: [
      [0x19, 116, 0],
      [0x07, 20, 0],
      [0x0c, 167, 1],
      [SIGNATURE, 128, 0],
    ],
  };

/** More arrays than any block has: a bound for damaged blocks. */
const MAX_ARRAYS = 40;

/** Splits a unit's file into blocks. They carry no length: each must be measured to find where the next one begins. */
export class UnitSplitter {
  readonly blocks: UnitBlock[] = [];
  readonly findings: Finding[] = [];
  readonly #bytes: Uint8Array;
  readonly #cards: CardSplitter;
  /** The last result of `find`: nothing lies between the two. */
  #found: { readonly from: number; readonly at: number | undefined } | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#cards = new CardSplitter(bytes, (at) => this.begins(at));
  }

  split(): void {
    let at = 0;
    while (at < this.#bytes.length) at = this.begins(at) ? this.#take(at) : this.#skip(at);
  }

  /** The next offset of a block that can be measured and is followed by the end or another block. */
  find(from: number): number | undefined {
    const found = this.#found;
    if (found !== undefined && found.from <= from && (found.at === undefined || from <= found.at)) return found.at;
    let at: number | undefined = this.#bytes.indexOf(0x76, from);
    while (at >= 0 && !this.#isWhole(at)) at = this.#bytes.indexOf(0x76, at + 1);
    if (at < 0) at = undefined;
    this.#found = { from, at };
    return at;
  }

  #isWhole(at: number): boolean {
    if (!this.begins(at)) return false;
    const { end, complete } = this.#measure(at, []);
    return complete && this.#isEnd(end);
  }

  /** Whether a block of a known kind begins here. */
  begins(at: number): boolean {
    const bytes = this.#bytes;
    if (bytes[at] !== 0x76 || !TREPS.has(bytes[at + 1] ?? 0xff)) return false;
    return bytes[at + 1] !== 6 || this.#cards.begins(at + 2);
  }

  #isEnd(at: number): boolean {
    return at === this.#bytes.length || this.begins(at);
  }

  #take(at: number): number {
    const bytes = this.#bytes;
    if (bytes[at + 1] === 6) return this.#takeCard(at);
    const parts: Part[] = [];
    const block: UnitBlock = { ...frame(bytes, at), ...this.#measure(at, parts), parts };
    if (block.complete && this.#isEnd(block.end)) {
      this.blocks.push(block);
      return block.end;
    }
    const next = this.find(at + 2);
    const limit = next ?? bytes.length;
    // One wrong byte in what begins the next block leaves its other byte.
    const follows = bytes[block.end] === 0x76 || TREPS.has(bytes[block.end + 1] ?? 0xff);
    if (block.complete && block.end <= limit && follows) {
      this.blocks.push(block);
      return block.end;
    }
    this.blocks.push({ ...block, end: limit, complete: false, parts: within(block.parts, limit) });
    const split = next === undefined && block.end >= bytes.length;
    this.#report(split ? 'truncated' : 'damaged', block.trep, at, split ? 'the block is cut' : 'the block is damaged');
    return limit;
  }

  #takeCard(at: number): number {
    const end = this.#cards.split(at + 2);
    this.findings.push(...this.#cards.findings.splice(0));
    const card = this.#cards.blocks.splice(0);
    this.blocks.push({ ...frame(this.#bytes, at), end, complete: true, parts: [], card });
    return end;
  }

  #skip(at: number): number {
    const next = this.find(at) ?? this.#bytes.length;
    const isBlock = this.#bytes[at] === 0x76;
    const trep = trepOf(this.#bytes, at);
    this.#report(isBlock ? 'unknown-block' : 'damaged', isBlock ? trep : 'unit', at, `${next - at} bytes are not read`);
    return next;
  }

  /** Where the block ends by its own lengths; its parts are added to `parts`. */
  #measure(at: number, parts: Part[]): { readonly end: number; readonly complete: boolean } {
    const low = this.#bytes[at + 1]!;
    if (low === 0) return { end: at + 4, complete: at + 4 <= this.#bytes.length };
    if (low < 0x10) this.#measureInline(at + 2, low, parts);
    else this.#measureArrays(at + 2, parts);
    const last = parts.at(-1);
    if (last === undefined) return { end: at + 2, complete: false };
    const end = last.at + last.size * last.count;
    const whole = last.type === SIGNATURE || (low >= 0x10 && end < this.#bytes.length && this.begins(end));
    return { end, complete: whole && end <= this.#bytes.length };
  }

  /** Generation 1: a fixed order, with counts between. Ends early where the file does. */
  #measureInline(from: number, trep: number, parts: Part[]): void {
    let at = from;
    for (const [type, size, countBytes] of G1_BLOCKS[trep] ?? []) {
      const start = at;
      if (start + countBytes > this.#bytes.length) break;
      let count = countBytes === 0 ? 1 : 0;
      for (let i = 0; i < countBytes; i++) count = count * 256 + this.#bytes[at++]!;
      parts.push({ type, start, at, size, count });
      at += size * count;
    }
  }

  /** Generation 2: arrays that carry their type, size and count, up to the signature. */
  #measureArrays(from: number, parts: Part[]): void {
    const bytes = this.#bytes;
    for (let start = from; start + 5 <= bytes.length && parts.length < MAX_ARRAYS && !this.begins(start); ) {
      const type = bytes[start]!;
      if (type === 0) break;
      const size = (bytes[start + 1]! << 8) | bytes[start + 2]!;
      const count = (bytes[start + 3]! << 8) | bytes[start + 4]!;
      const at = start + 5;
      parts.push({ type, start, at, size, count });
      if (type === SIGNATURE) break;
      start = at + size * count;
    }
  }

  #report(code: Finding['code'], where: string, offset: number, detail: string): void {
    this.findings.push({ code, where, offset, detail });
  }
}

const trepOf = (bytes: Uint8Array, at: number): string =>
  `76${(bytes[at + 1] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;

type Frame = Pick<UnitBlock, 'trep' | 'kind' | 'generation'>;

const FRAMES: readonly Frame[] = Array.from({ length: 0x40 }, (_, trep) => ({
  trep: `76${trep.toString(16).toUpperCase().padStart(2, '0')}`,
  kind: KINDS[trep & 15] ?? 'interface',
  generation: trep === 0 || trep >= 0x30 ? 'G2v2' : trep >= 0x20 ? 'G2v1' : 'G1',
}));

const frame = (bytes: Uint8Array, at: number): Frame & { at: number } => ({ ...FRAMES[bytes[at + 1]!]!, at });

/** The parts that begin before `limit`, with the records that end before it. */
function within(parts: readonly Part[], limit: number): Part[] {
  return parts
    .filter(({ at }) => at <= limit)
    .map((part) =>
      part.size === 0 ? part : { ...part, count: Math.min(part.count, Math.floor((limit - part.at) / part.size)) },
    );
}

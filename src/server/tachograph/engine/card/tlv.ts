import type { Finding } from '../records.ts';
import { isKnown, mayBeLong, type SectionName } from './files.ts';

/** One file of a card in the download, or a file's signature. */
export interface CardBlock {
  readonly fid: string;
  /** 0 and 2 data, 1 and 3 signatures, of generations 1 and 2; signatures with `GOST`; others are skipped by their length. */
  readonly type: number;
  /** Where the value begins. */
  readonly offset: number;
  /** The length in the header; `bytes` are fewer where the download is truncated. */
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** Set in the type of signatures of Russian cards (0x81), which are of GOST R 34.10. */
const GOST = 0x80;
export const isGost = (type: number): boolean => (type & ~3) === GOST;
/** Neither data nor a signature of these generations. */
export const isForeign = (type: number): boolean => type > 3 && !(isGost(type) && (type & 1) === 1);

export const sectionOf = (type: number): SectionName => ((type & 3) < 2 ? 'gen1' : 'gen2');
export const isSignature = (type: number): boolean => !isForeign(type) && (type & 1) === 1;

/** `gen2/0504` */
export const placeOf = (fid: string, type: number): string => `${sectionOf(type)}/${fid}`;

const HEADER = 5;
const MAX_UNKNOWN_BETWEEN = 4;

interface Header {
  readonly fid: string;
  readonly type: number;
  readonly length: number;
  readonly next: number;
}

/** Splits `bytes` from `start` to `end` into the files of a card, and resynchronizes after damage. */
export class CardSplitter {
  readonly blocks: CardBlock[] = [];
  readonly findings: Finding[] = [];
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Whether a block of a unit, which is not a card file, may begin here. */
  readonly #isEnd: (at: number) => boolean;
  /** The last result of `find`: nothing lies between the two. */
  #found: { readonly from: number; readonly at: number | undefined } | undefined;

  constructor(bytes: Uint8Array, isEnd: (at: number) => boolean = () => false, end = bytes.length) {
    this.#bytes = bytes;
    this.#end = end;
    this.#isEnd = isEnd;
  }

  /** The end of the card. */
  split(start: number): number {
    let at = start;
    while (at < this.#end && !(at > start && this.#isEnd(at))) {
      const header = this.#header(at);
      if (header !== undefined && this.#isLinked(header)) at = this.#take(at, header, header.next);
      else if (header !== undefined && isKnown(header.fid) && !isForeign(header.type)) at = this.#takeLoose(at, header);
      else at = this.#skip(at);
    }
    return at;
  }

  /** Whether a header is here: a known file of a plausible size, followed by a plausible header or the end. */
  isHeader(at: number): boolean {
    const header = this.#header(at);
    return (
      header !== undefined &&
      isKnown(header.fid) &&
      mayBeLong(header.fid, header.type, header.length) &&
      this.#isLinked(header)
    );
  }

  /** The next header, from `from` on. */
  find(from: number): number | undefined {
    const found = this.#found;
    if (found !== undefined && found.from <= from && (found.at === undefined || from <= found.at)) return found.at;
    let at: number | undefined = from;
    while (at < this.#end && !(this.#mayBegin(at) && this.isHeader(at))) at++;
    if (at >= this.#end) at = undefined;
    this.#found = { from, at };
    return at;
  }

  /** Every name of a file begins with one of these. */
  #mayBegin(at: number): boolean {
    const first = this.#bytes[at];
    return first === 0x05 || first === 0 || first === 0xc1 || first === 0xc2;
  }

  /** Whether the bytes begin like a card download. */
  begins(at: number): boolean {
    const header = this.#header(at);
    return header !== undefined && isKnown(header.fid) && mayBeLong(header.fid, header.type, header.length);
  }

  #header(at: number): Header | undefined {
    if (at + HEADER > this.#end) return undefined;
    const bytes = this.#bytes;
    const type = bytes[at + 2]!;
    const length = (bytes[at + 3]! << 8) | bytes[at + 4]!;
    if (length === 0xffff) return undefined;
    const fid = ((bytes[at]! << 8) | bytes[at + 1]!).toString(16).toUpperCase().padStart(4, '0');
    return { fid, type, length, next: at + HEADER + length };
  }

  /** A known file of a usual type follows, or the end; files and types that are not known may lie between. */
  #isLinked({ next }: Header, between = MAX_UNKNOWN_BETWEEN): boolean {
    if (next >= this.#end) return next === this.#end;
    if (this.#isEnd(next)) return true;
    const following = this.#header(next);
    if (following === undefined) return false;
    if (isKnown(following.fid) && !isForeign(following.type)) return true;
    return between > 0 && this.#isLinked(following, between - 1);
  }

  #take(at: number, { fid, type, length }: Header, next: number): number {
    const offset = at + HEADER;
    this.blocks.push({ fid, type, offset, length, bytes: this.#bytes.subarray(offset, Math.min(next, this.#end)) });
    return next;
  }

  /** A known file that no known file follows: it is truncated, or its length or the following bytes are damaged. */
  #takeLoose(at: number, header: Header): number {
    const next = this.find(at + HEADER);
    const where = placeOf(header.fid, header.type);
    const isPlausible = mayBeLong(header.fid, header.type, header.length);
    if (isPlausible && header.next <= (next ?? this.#end)) {
      this.#take(at, header, header.next);
      return header.next;
    }
    if (next === undefined) {
      const left = this.#end - at - HEADER;
      this.#find('truncated', where, at, `${header.length} bytes announced, ${left} there`);
      return this.#take(at, header, Math.min(header.next, this.#end));
    }
    this.#find('wrong-size', where, at, `${header.length} bytes announced, ${next - at - HEADER} to the next file`);
    return this.#take(at, { ...header, length: next - at - HEADER }, next);
  }

  #skip(at: number): number {
    const next = this.find(at + 1) ?? this.#end;
    const split = next === this.#end && next - at < HEADER;
    this.#find(split ? 'truncated' : 'damaged', 'card', at, `${next - at} bytes that are no file of a card`);
    return next;
  }

  #find(code: Finding['code'], where: string, offset: number, detail: string): void {
    this.findings.push({ code, where, offset, detail });
  }
}

import type { Finding } from '../records.ts';
import { isKnown, mayBeLong, type SectionName } from './files.ts';

/** One file of a card as the download holds it, or a file's signature. */
export interface CardBlock {
  readonly fid: string;
  /** 0 and 2 data, 1 and 3 signatures, of generations 1 and 2. */
  readonly type: number;
  /** Where the value begins. */
  readonly offset: number;
  /** As long as the header says; `bytes` are fewer where the download is cut. */
  readonly length: number;
  readonly bytes: Uint8Array;
}

export const sectionOf = (type: number): SectionName => (type < 2 ? 'gen1' : 'gen2');
export const isSignature = (type: number): boolean => (type & 1) === 1;

/** `gen2/0504` */
export const placeOf = (fid: string, type: number): string => `${sectionOf(type)}/${fid}`;

const HEADER = 5;

interface Header {
  readonly fid: string;
  readonly type: number;
  readonly length: number;
  readonly next: number;
}

/** Cuts the files of a card out of `bytes`, from `start` to `end`. Where the chain breaks it is taken up again. */
export class CardCutter {
  readonly blocks: CardBlock[] = [];
  readonly findings: Finding[] = [];
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Whether something else than a card's file may begin here: a block of a unit. */
  readonly #isEnd: (at: number) => boolean;
  /** What `find` found last: nothing lies between the two. */
  #found: { readonly from: number; readonly at: number | undefined } | undefined;

  constructor(bytes: Uint8Array, isEnd: (at: number) => boolean = () => false, end = bytes.length) {
    this.#bytes = bytes;
    this.#end = end;
    this.#isEnd = isEnd;
  }

  /** Where it came to the end of the card. */
  cut(start: number): number {
    let at = start;
    while (at < this.#end && !(at > start && this.#isEnd(at))) {
      const header = this.#header(at);
      if (header !== undefined && this.#isLinked(header)) at = this.#take(at, header, header.next);
      else if (header !== undefined && isKnown(header.fid)) at = this.#takeLoose(at, header);
      else at = this.#skip(at);
    }
    return at;
  }

  /** Whether a true header stands here: a known file of a fitting size, and something that may follow it. */
  isTrue(at: number): boolean {
    const header = this.#header(at);
    return (
      header !== undefined &&
      isKnown(header.fid) &&
      mayBeLong(header.fid, header.type, header.length) &&
      this.#isLinked(header)
    );
  }

  /** The next true header, from `from` on. */
  find(from: number): number | undefined {
    const found = this.#found;
    if (found !== undefined && found.from <= from && (found.at === undefined || from <= found.at)) return found.at;
    let at: number | undefined = from;
    while (at < this.#end && !(this.#mayBegin(at) && this.isTrue(at))) at++;
    if (at >= this.#end) at = undefined;
    this.#found = { from, at };
    return at;
  }

  /** Every name of a file begins with one of these. */
  #mayBegin(at: number): boolean {
    const first = this.#bytes[at];
    return first === 0x05 || first === 0 || first === 0xc1;
  }

  /** Whether the bytes begin as a card's download does. */
  begins(at: number): boolean {
    const header = this.#header(at);
    return header !== undefined && isKnown(header.fid) && mayBeLong(header.fid, header.type, header.length);
  }

  #header(at: number): Header | undefined {
    if (at + HEADER > this.#end) return undefined;
    const bytes = this.#bytes;
    const type = bytes[at + 2]!;
    const length = (bytes[at + 3]! << 8) | bytes[at + 4]!;
    if (type > 3 || length === 0xffff) return undefined;
    const fid = ((bytes[at]! << 8) | bytes[at + 1]!).toString(16).toUpperCase().padStart(4, '0');
    return { fid, type, length, next: at + HEADER + length };
  }

  #isLinked({ next }: Header): boolean {
    if (next >= this.#end) return next === this.#end;
    if (this.#isEnd(next)) return true;
    const following = this.#header(next);
    return following !== undefined && isKnown(following.fid);
  }

  #take(at: number, { fid, type, length }: Header, next: number): number {
    const offset = at + HEADER;
    this.blocks.push({ fid, type, offset, length, bytes: this.#bytes.subarray(offset, Math.min(next, this.#end)) });
    return next;
  }

  /** A known file that nothing known follows: it is cut, its length is damaged, or what follows is. */
  #takeLoose(at: number, header: Header): number {
    const next = this.find(at + HEADER);
    const where = placeOf(header.fid, header.type);
    const fits = mayBeLong(header.fid, header.type, header.length);
    if (fits && header.next <= (next ?? this.#end)) {
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
    const cut = next === this.#end && next - at < HEADER;
    this.#find(cut ? 'truncated' : 'damaged', 'card', at, `${next - at} bytes that are no file of a card`);
    return next;
  }

  #find(code: Finding['code'], where: string, offset: number, detail: string): void {
    this.findings.push({ code, where, offset, detail });
  }
}

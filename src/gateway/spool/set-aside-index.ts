import type { AddHead, Head, Mark, Place, SetAsideEntry } from './set-aside-entry.ts';

/** A record in the log, without its content. */
export interface Kept {
  readonly head: AddHead;
  readonly place: Place;
}

/** The current set-aside records of a target: the result of all heads of its log, applied in order. */
export class SetAsideIndex {
  readonly #target: string;
  /** by sequence, in the order of the rejections */
  readonly #records = new Map<number, Kept>();
  /** sequence of the last replay → sequence */
  readonly #replays = new Map<number, number>();
  /** bytes of the log that hold records */
  liveBytes = 0;

  constructor(target: string) {
    this.#target = target;
  }

  get count(): number {
    return this.#records.size;
  }

  records(): IterableIterator<Kept> {
    return this.#records.values();
  }

  /** Entries by ascending sequence. */
  list(): SetAsideEntry[] {
    const heads = Array.from(this.#records.values(), ({ head }) => head).sort((a, b) => a.seq - b.seq);
    return heads.map((head) => this.entryOf(head));
  }

  find(id: string): Kept | undefined {
    const kept = this.#records.get(Number(id.slice(this.#target.length + 1)));
    return kept !== undefined && this.#idOf(kept.head) === id ? kept : undefined;
  }

  entryOf(head: AddHead): SetAsideEntry {
    const { seq, at, code, detail, kind, size, subject, isReplaying = false } = head;
    return { id: this.#idOf(head), target: this.#target, seq, at, code, detail, kind, size, subject, isReplaying };
  }

  #idOf({ seq }: AddHead): string {
    return `${this.#target}-${seq}`;
  }

  bySeq(seq: number): Kept | undefined {
    return this.#records.get(seq);
  }

  /** The record whose last replay has this sequence. */
  byReplay(seq: number): Kept | undefined {
    const first = this.#replays.get(seq);
    return first === undefined ? undefined : this.#records.get(first);
  }

  apply(head: Head, place: Place): void {
    if (head.do === 'add') this.#set(head, place);
    else this.applyMark(head);
  }

  /** Changes the records that it names, if they are known. */
  applyMark(head: Mark): void {
    switch (head.do) {
      case 'remove':
        for (const seq of head.seqs) this.#remove(seq);
        break;
      case 'send':
        for (const seq of head.seqs) this.#change(seq, { sendAfter: head.after });
        break;
      case 'sent':
        for (const [seq, sentAs] of head.pairs) {
          this.#change(seq, { sentAs, isReplaying: true, sendAfter: undefined });
        }
        break;
      case 'unsent':
        for (const seq of head.seqs) this.#change(seq, { sendAfter: undefined });
        break;
      case 'reject': {
        const { seq, at, code, detail } = head;
        this.#change(seq, { at, code, detail, isReplaying: false });
      }
    }
  }

  #change(seq: number, change: Partial<AddHead>): void {
    const kept = this.#records.get(seq);
    if (kept !== undefined) this.#set({ ...kept.head, ...change }, kept.place);
  }

  /** Adds a record, or updates its place. */
  #set(head: AddHead, place: Place): void {
    const before = this.#records.get(head.seq);
    if (before !== undefined) this.#forget(before);
    this.liveBytes += place.bytes;
    if (head.sentAs !== undefined) this.#replays.set(head.sentAs, head.seq);
    this.#records.set(head.seq, { head, place });
  }

  #remove(seq: number): void {
    const kept = this.#records.get(seq);
    if (kept === undefined) return;
    this.#forget(kept);
    this.#records.delete(seq);
  }

  #forget({ head, place }: Kept): void {
    this.liveBytes -= place.bytes;
    if (head.sentAs !== undefined) this.#replays.delete(head.sentAs);
  }
}

import { type FileHandle, open } from 'node:fs/promises';
import { crc32c } from './crc32c.ts';
import { emptyView, findRecord, HEADER_BYTES, MAX_RECORD_BYTES, readRecord } from './record.ts';
import type { Segment } from './segment.ts';
import type { Head, Place } from './set-aside-entry.ts';

/** Bytes of one read: it covers several heads of small records, and contents of large ones are not read. */
const BLOCK_BYTES = 64 * 1024;

export interface ScanResult {
  /** end of the last complete entry */
  readonly end: number;
  /** number of the last head, or 0 */
  readonly last: number;
  /** heads or contents that cannot be read, followed by entries that can */
  readonly damaged: number;
}

/**
 * Visits the heads of a segment in order. Contents are checked only if `hasTail`: the newest segment may end with bytes
 * that were never confirmed.
 */
export async function scanSetAside(
  segment: Segment,
  hasTail: boolean,
  visit: (head: Head, place: Place) => void,
): Promise<ScanResult> {
  const file = await open(segment.path, 'r');
  try {
    return await scan(new BlockReader(file, segment.bytes), segment, hasTail, visit);
  } finally {
    await file.close();
  }
}

async function scan(
  reader: BlockReader,
  segment: Segment,
  hasTail: boolean,
  visit: (head: Head, place: Place) => void,
): Promise<ScanResult> {
  let at = 0;
  let end = 0;
  let last = 0;
  let damaged = 0;
  let suspects = 0;
  while (at + HEADER_BYTES <= reader.size) {
    const found = await readHead(reader, at);
    if (found === undefined || found.number <= last) {
      const next = await findHead(reader, at + 1, last);
      if (next < 0) break;
      suspects++;
      at = next;
      continue;
    }
    const { head, number, bytes } = found;
    const offset = at + bytes;
    const size = head.do === 'add' ? head.size : 0;
    if (offset + size > reader.size) break;
    last = number;
    at = offset + size;
    if (head.do === 'add' && hasTail) {
      const content = await reader.bytes(offset, size);
      if (crc32c(content, 0, size, 0) !== head.crc) {
        suspects++;
        continue;
      }
    }
    // unreadable bytes are damage if a complete entry follows, otherwise an interrupted write
    damaged += suspects;
    suspects = 0;
    end = at;
    visit(head, { segment, offset, bytes: bytes + size });
  }
  return { end, last, damaged };
}

interface FoundHead {
  readonly head: Head;
  readonly number: number;
  /** length of the head with its header */
  readonly bytes: number;
}

async function readHead(reader: BlockReader, at: number): Promise<FoundHead | undefined> {
  const header = await reader.bytes(at, HEADER_BYTES);
  if (header.length < HEADER_BYTES) return undefined;
  const length = header.readUInt32LE(0);
  if (length > MAX_RECORD_BYTES) return undefined;
  const block = await reader.bytes(at, HEADER_BYTES + length);
  const view = emptyView();
  if (readRecord(block, 0, block.length, view, true) !== 'ok') return undefined;
  try {
    const head = JSON.parse(block.toString('utf8', view.start, view.end)) as Head;
    return { head, number: view.seq, bytes: view.end };
  } catch {
    return undefined;
  }
}

async function findHead(reader: BlockReader, from: number, last: number): Promise<number> {
  const rest = await reader.bytes(from, reader.size - from);
  const found = findRecord(rest, 0, rest.length, last, Number.MAX_SAFE_INTEGER);
  return found < 0 ? -1 : from + found;
}

class BlockReader {
  readonly size: number;
  readonly #file: FileHandle;
  #block = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** Bytes of the file from `at`, fewer at its end; valid until the next call. */
  async bytes(at: number, length: number): Promise<Buffer> {
    const from = at - this.#start;
    if (from >= 0 && from + length <= this.#block.length) return this.#block.subarray(from, from + length);
    const wanted = Math.min(Math.max(length, BLOCK_BYTES), this.size - at);
    const block = Buffer.allocUnsafeSlow(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(block, filled, wanted - filled, at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#block = block.subarray(0, filled);
    this.#start = at;
    return this.#block.subarray(0, Math.min(length, filled));
  }
}

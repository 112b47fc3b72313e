import { mkdir, open, writeFile } from 'node:fs/promises';
import { EVENT, HEADER_BYTES, POSITION, writeRecord } from '../../../src/gateway/spool/record.ts';
import { segmentAt, segmentFolder } from '../../../src/gateway/spool/segment.ts';
import { addHead, type Head } from '../../../src/gateway/spool/set-aside-entry.ts';

export function encodeHead(number: number, head: Head): Buffer {
  const bytes = Buffer.from(JSON.stringify(head));
  const encoded = Buffer.alloc(HEADER_BYTES + bytes.length);
  writeRecord(encoded, 0, number, 0, { kind: EVENT, bytes });
  return encoded;
}

/** Segments with `count` records of `size` zero bytes, which are holes of the files: they take no space. */
export async function writeSparseSetAside(spool: string, target: string, count: number, size: number): Promise<void> {
  const PER_SEGMENT = 64;
  const folder = `${spool}/set-aside/${target}`;
  await mkdir(segmentFolder(folder), { recursive: true });
  const head = addHead({ seq: 1, kind: POSITION, bytes: Buffer.alloc(size), code: 'invalid', detail: 'test' }, 1_000);
  for (let first = 1; first <= count; first += PER_SEGMENT) {
    const file = await open(segmentAt(folder, first).path, 'w');
    let end = 0;
    for (let seq = first; seq < first + PER_SEGMENT && seq <= count; seq++) {
      const encoded = encodeHead(seq, { ...head, seq });
      await file.write(encoded, 0, encoded.length, end);
      end += encoded.length + size;
    }
    await file.truncate(end);
    await file.close();
  }
}

/** The file of earlier versions. */
export async function writeOldFile(
  spool: string,
  target: string,
  lines: readonly object[],
  tail = '',
): Promise<string> {
  await mkdir(`${spool}/set-aside`, { recursive: true });
  const path = `${spool}/set-aside/${target}.ndjson`;
  await writeFile(path, `${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}${tail}`);
  return path;
}

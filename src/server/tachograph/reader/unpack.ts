import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { cardsIn } from '../engine/card/several.ts';
import { unitsIn } from '../engine/vu/several.ts';

/** A download within a file, to be read with `readPart`. */
export interface PartReference {
  /** in an archive; `null`: part of the file itself */
  readonly name: string | null;
  /** index of the entry of the archive; 0 of another file */
  readonly entry: number;
  /** index of the card or unit within the entry; `null`: the whole entry */
  readonly part: number | null;
  readonly size: number;
}

export type Unpacked =
  | { readonly parts: readonly PartReference[] }
  | { readonly problem: 'several-cards' | 'broken-archive' | 'too-large'; readonly detail: string };

export interface UnpackLimits {
  readonly files: number;
  /** bytes of all entries */
  readonly bytes: number;
}

const MIXED = 'The file holds records of several cards or vehicle units and cannot be split';

const SIGNATURES = new Set(['504b0304', '504b0506']);
const isZip = (bytes: Uint8Array): boolean => SIGNATURES.has(Buffer.from(bytes.subarray(0, 4)).toString('hex'));

interface ReadEntry {
  /** `null`: the file itself */
  readonly name: string | null;
  readonly index: number;
  readonly bytes: Uint8Array;
}

const downloadsIn = (bytes: Uint8Array): readonly Uint8Array[] | 'mixed' | undefined =>
  cardsIn(bytes) ?? unitsIn(bytes);

/**
 * The files of a ZIP, and the cards or units of a file with several. A file of one download is its only part. Archives in
 * archives remain. The whole archive is checked, but only one of its entries is in memory at a time.
 */
export async function unpack(bytes: Uint8Array, limits: UnpackLimits): Promise<Unpacked> {
  const parts: PartReference[] = [];
  let entries = 0;
  let isMixed = false;
  const note = ({ name, index, bytes: content }: ReadEntry): void => {
    entries++;
    const downloads = downloadsIn(content);
    if (downloads === 'mixed') isMixed = true;
    if (downloads === 'mixed' || downloads === undefined) {
      parts.push({ name, entry: index, part: null, size: content.length });
    } else parts.push(...downloads.map(({ length }, part) => ({ name, entry: index, part, size: length })));
  };
  if (!isZip(bytes)) note({ name: null, index: 0, bytes });
  else {
    try {
      await readZip(bytes, limits, note);
    } catch (error) {
      const detail = (error as Error).message;
      return { problem: error instanceof TooLarge ? 'too-large' : 'broken-archive', detail };
    }
  }
  return isMixed && entries === 1 ? { problem: 'several-cards', detail: MIXED } : { parts };
}

/** The bytes of a part that `unpack` has listed. */
export async function readPart(
  bytes: Uint8Array,
  { entry, part }: Pick<PartReference, 'entry' | 'part'>,
  limits: UnpackLimits,
): Promise<Uint8Array> {
  let content = bytes;
  if (isZip(bytes)) {
    await readZip(
      bytes,
      limits,
      (read) => {
        content = read.bytes;
      },
      entry,
    );
  }
  if (part === null) return content;
  const downloads = downloadsIn(content);
  if (downloads === undefined || downloads === 'mixed') throw new Error('the file is not the one that was listed');
  return downloads[part]!;
}

class TooLarge extends Error {}

const openZip = (bytes: Uint8Array): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true, validateEntrySizes: true }, (error, zip) =>
      error === null ? resolve(zip) : reject(error),
    );
  });

/** Hands over one entry at a time: all, or the one with the index `only`, without unpacking the others. */
async function readZip(
  bytes: Uint8Array,
  limits: UnpackLimits,
  take: (entry: ReadEntry) => void,
  only?: number,
): Promise<void> {
  const zip = await openZip(bytes);
  let index = 0;
  let total = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      zip.close();
      reject(error);
    };
    const read = (entry: Entry): void => {
      // sizes in the directory of an archive can be wrong: what is read counts
      zip.openReadStream(entry, (error, stream) => {
        if (error !== null) return fail(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => {
          total += chunk.length;
          if (total <= limits.bytes) chunks.push(chunk);
          else stream.destroy(new TooLarge(`An archive has at most ${limits.bytes} bytes unpacked`));
        });
        stream.on('error', fail);
        stream.on('end', () => {
          const content = new Uint8Array(Buffer.concat(chunks));
          if (crc32(content) !== entry.crc32) return fail(new Error(`The checksum of ${entry.fileName} is wrong`));
          take({ name: entry.fileName, index: index++, bytes: content });
          if (only === undefined) return zip.readEntry();
          zip.close();
          resolve();
        });
      });
    };
    const consider = (entry: Entry): void => {
      if (/\/$|(^|\/)(__MACOSX\/|\.)/.test(entry.fileName)) zip.readEntry();
      else if (index >= limits.files) fail(new TooLarge(`At most ${limits.files} files are taken at once`));
      else if (only === undefined || only === index) read(entry);
      else {
        index++;
        zip.readEntry();
      }
    };
    zip.on('entry', consider).on('error', fail);
    zip.on('end', () => (index === 0 ? reject(new Error('The archive contains no files')) : resolve()));
    zip.readEntry();
  });
}

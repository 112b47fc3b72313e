import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { cardsIn } from '../../../tachograph/card/several.ts';
import { unitsIn } from '../../../tachograph/vu/several.ts';

export interface Part {
  /** in an archive; `null`: part of the file itself */
  readonly name: string | null;
  readonly bytes: Uint8Array;
}

export type Unpacked =
  | { readonly parts: readonly Part[] }
  | { readonly problem: 'several-cards' | 'broken-archive' | 'too-large'; readonly detail: string };

export interface UnpackLimits {
  readonly files: number;
  /** bytes of all entries */
  readonly bytes: number;
}

const MIXED = 'The file holds records of several cards or vehicle units and cannot be split';

const SIGNATURES = new Set(['504b0304', '504b0506']);
const isZip = (bytes: Uint8Array): boolean => SIGNATURES.has(Buffer.from(bytes.subarray(0, 4)).toString('hex'));

/** Files of a ZIP, and cards or units of a file with several. A file of one download is its only part. Archives in archives remain. */
export async function unpack(bytes: Uint8Array, limits: UnpackLimits): Promise<Unpacked> {
  const entries = isZip(bytes) ? await readZip(bytes, limits) : { parts: [{ name: null, bytes }] };
  if ('problem' in entries) return entries;
  const parts: Part[] = [];
  for (const entry of entries.parts) {
    const downloads = cardsIn(entry.bytes) ?? unitsIn(entry.bytes);
    if (downloads === 'mixed') {
      if (entries.parts.length > 1) parts.push(entry);
      else return { problem: 'several-cards', detail: MIXED };
    } else parts.push(...(downloads?.map((each) => ({ name: entry.name, bytes: each })) ?? [entry]));
  }
  return { parts };
}

class TooLarge extends Error {}

async function readZip(bytes: Uint8Array, limits: UnpackLimits): Promise<Unpacked> {
  try {
    return { parts: await entriesOf(bytes, limits) };
  } catch (error) {
    const detail = (error as Error).message;
    return { problem: error instanceof TooLarge ? 'too-large' : 'broken-archive', detail };
  }
}

const openZip = (bytes: Uint8Array): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true, validateEntrySizes: true }, (error, zip) =>
      error === null ? resolve(zip) : reject(error),
    );
  });

async function entriesOf(bytes: Uint8Array, limits: UnpackLimits): Promise<Part[]> {
  const zip = await openZip(bytes);
  const parts: Part[] = [];
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
          const bytes = new Uint8Array(Buffer.concat(chunks));
          if (crc32(bytes) !== entry.crc32) return fail(new Error(`The checksum of ${entry.fileName} is wrong`));
          parts.push({ name: entry.fileName, bytes });
          zip.readEntry();
        });
      });
    };
    const take = (entry: Entry): void => {
      if (/\/$|(^|\/)(__MACOSX\/|\.)/.test(entry.fileName)) zip.readEntry();
      else if (parts.length < limits.files) read(entry);
      else fail(new TooLarge(`At most ${limits.files} files are taken at once`));
    };
    zip.on('entry', take).on('error', fail);
    zip.on('end', () => (parts.length === 0 ? reject(new Error('The archive contains no files')) : resolve(parts)));
    zip.readEntry();
  });
}

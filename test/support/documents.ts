import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

export interface ReadPdf {
  readonly pages: number;
  /** of all pages, in the order in which it was written */
  readonly text: string;
  /** filled areas by their colour, `#rrggbb` */
  readonly fills: ReadonlyMap<string, number>;
}

/** Reads a PDF with a reader of its own kind. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false, verbosity: 0 }).promise;
  const texts: string[] = [];
  const fills = new Map<string, number>();
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    texts.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
    const { argsArray } = await page.getOperatorList();
    for (const args of argsArray as (unknown[] | null)[]) {
      const argument = args?.[0];
      if (typeof argument !== 'string' || !argument.startsWith('#')) continue;
      fills.set(argument, (fills.get(argument) ?? 0) + 1);
    }
  }
  await pdf.destroy();
  return { pages: texts.length, text: texts.join('\n').replace(/\s+/g, ' '), fills };
}

/** Entries of a ZIP by their names. */
export async function unzip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const entries = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    zip.on('end', resolve).on('error', reject);
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error !== null) return reject(error);
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('error', reject);
        stream.on('end', () => {
          entries.set(entry.fileName, Buffer.concat(parts));
          zip.readEntry();
        });
      });
    });
    zip.readEntry();
  });
  return entries;
}

export interface ReadSheet {
  readonly name: string;
  /** values as they lie in the file: texts, or numbers as text */
  readonly rows: readonly (readonly string[])[];
}

const plain = (xml: string): string =>
  xml
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

/** Sheets of a workbook, by the parts of its ZIP. */
export async function readXlsx(bytes: Uint8Array): Promise<ReadSheet[]> {
  const parts = await unzip(bytes);
  const xml = (name: string): string => parts.get(name)?.toString() ?? '';
  const shared = [...xml('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, si]) =>
    plain([...si!.matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, text]) => text).join('')),
  );
  const names = [...xml('xl/workbook.xml').matchAll(/<sheet [^>]*name="([^"]*)"/g)].map(([, name]) => plain(name!));
  return names.map((name, index) => ({
    name,
    rows: [...xml(`xl/worksheets/sheet${index + 1}.xml`).matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row]) =>
      [...row!.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes, inner = '']) => {
        const value = /<v>(.*?)<\/v>/s.exec(inner)?.[1] ?? /<t[^>]*>(.*?)<\/t>/s.exec(inner)?.[1] ?? '';
        return /t="s"/.test(attributes!) ? shared[Number(value)]! : plain(value);
      }),
    ),
  }));
}

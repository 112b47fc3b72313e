import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { toPdf } from '../../../src/server/documents/pdf.ts';
import type { Report, Section } from '../../../src/server/documents/report.ts';

interface Piece {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** Where each piece of text stands on the first page, by a reader of its own kind. */
async function piecesOf(section: Partial<Section>, language: Report['language'] = 'it'): Promise<Piece[]> {
  const bytes = await toPdf({
    title: 'Infrazioni',
    language,
    orientation: 'portrait',
    sections: [{ title: '', facts: [], tables: [], ...section }],
    footer: '',
    legend: { rest: 'Rest', availability: 'Availability', work: 'Work', driving: 'Driving', unknown: 'Unknown' },
  });
  const pdf = await getDocument({ data: Uint8Array.from(bytes), useSystemFonts: false, verbosity: 0 }).promise;
  const { items } = await (await pdf.getPage(1)).getTextContent();
  await pdf.destroy();
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [x, y] = [item.transform[4] as number, item.transform[5] as number];
    // letters reach to about three quarters of the size above the line
    return [{ text: item.str, left: x, right: x + item.width, bottom: y, top: y + item.height * 0.75 }];
  });
}

const covered = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((one, index) =>
    pieces
      .slice(index + 1)
      .filter((other) => one.left < other.right && other.left < one.right)
      .filter((other) => one.bottom < other.top && other.bottom < one.top)
      .map((other) => `${one.text} / ${other.text}`),
  );

const LONG = 'Freiherr von Müller-Großschreiber zu Łódźkiewicz-Österreichisch-Ødegård, Maximilian-Alexander Christoph';

test('a heading of several lines covers nothing that follows', async () => {
  const pieces = await piecesOf({ title: `${LONG} ${LONG}`, facts: [['Impresa', 'Rossi & Figli']] });
  expect(pieces.map(({ text }) => text).join(' ')).toContain('Maximilian-Alexander');
  expect(covered(pieces)).toEqual([]);
});

test('a label that is wider than its column goes on in the next line', async () => {
  const label = 'Media settimanale dal 01/07/2026 al 31/10/2026 secondo l’accordo aziendale';
  const pieces = await piecesOf({
    facts: [
      [label, '55:11 / 48:00'],
      ['Carta', 'I1'],
    ],
  });
  expect(covered(pieces)).toEqual([]);
});

test('sums in narrow columns are not broken, and decimals are those of the language', async () => {
  const columns = Array.from({ length: 18 }, (_, index) => ({ title: `C${index}`, kind: 'hours' as const }));
  const tables = [{ title: 'LUL', columns, rows: [columns.map(() => 229.16)], totals: columns.map(() => 4_735.66) }];
  const italian = (await piecesOf({ tables })).map(({ text }) => text);
  expect(italian.filter((text) => text === '4735,66')).toHaveLength(18);
  expect((await piecesOf({ tables }, 'en')).map(({ text }) => text)).toContain('4735.66');
});

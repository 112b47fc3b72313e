import { z } from 'zod';
import { formatMinutes } from '../../documents/cells.ts';
import { type Field, type Section, type Table, tableOf } from '../../documents/report.ts';
import { member, textLike } from '../../kernel/http/index.ts';
import { correctionShape, presentCorrection } from '../corrections/routes.ts';
import { correctionTable } from '../corrections/table.ts';
import type { Labels, Language } from './labels.ts';
import type { Subject } from './subject.ts';

/** What every report of a driver says of itself. */
export const subjectShape = z.object({
  driver: z.object({
    id: textLike('drv_0a1b2c3d4e5f6a7b8c').nullable(),
    name: member.name,
    cardNumbers: z.array(member.cardNumber),
  }),
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  files: z.array(z.object({ fileId: member.fileId, sha256: member.sha256, verdict: z.string() })),
  corrections: z.array(correctionShape).describe('by persons, that count in the days'),
  engineVersion: z.string().nullable(),
  rulesVersion: z.string().nullable(),
});

export const aboutOf = (subject: Subject): z.output<typeof subjectShape> => ({
  driver: { id: subject.driverId, name: subject.name, cardNumbers: [...subject.cards] },
  from: subject.from,
  to: subject.to,
  zone: subject.zone,
  files: subject.verdicts.map(({ id, sha256, verdict }) => ({ fileId: id, sha256, verdict })),
  corrections: subject.corrections.map(presentCorrection),
  engineVersion: subject.engineVersion,
  rulesVersion: subject.rulesVersion,
});

export function factsOf(subject: Subject, words: Labels): Section['facts'] {
  const verdicts = subject.verdicts.map(({ verdict }) => words[verdict as 'valid']);
  const kinds = [...new Set(verdicts)];
  const counted = kinds.map((word) =>
    kinds.length === 1 ? word : `${word} (${verdicts.filter((each) => each === word).length})`,
  );
  return [
    [words.card, subject.cards.join(', ')],
    [words.period, `${subject.from} – ${subject.to}`],
    [words.zone, subject.zone === 'UTC' ? words.utc : subject.zone],
    [words.files, String(subject.verdicts.length)],
    [words.signatures, counted.join(', ')],
  ];
}

export const dataFact = (unknown: number, words: Labels): readonly [string, string] => [
  words.data,
  unknown === 0 ? words.complete : `${words.incomplete} ${formatMinutes(unknown)}`,
];

export const footerOf = (
  { engineVersion, rulesVersion }: Pick<Subject, 'engineVersion' | 'rulesVersion'>,
  words: Labels,
) => `${words.footer} Fleetgate${engineVersion === null ? '' : ` ${engineVersion} · ${rulesVersion ?? ''}`}`;

/** Empty without corrections. */
export const correctionTables = ({ corrections, days, zone }: Subject, words: Labels, language: Language): Table[] =>
  corrections.length === 0 ? [] : [correctionTable(corrections, days, { zone, language, words })];

interface Source {
  readonly name: string;
  readonly sha256: string;
  readonly verdict: string;
}

/** What a document is derived from: files with their hashes and the results of their signatures. */
export function sourceTable(files: readonly Source[], words: Labels): Table {
  const fields: Field<Source>[] = [
    { title: words.file, kind: 'text', weight: 2, cell: ({ name }) => name },
    { title: 'SHA-256', kind: 'text', weight: 3, cell: ({ sha256 }) => sha256 },
    { title: words.signatures, kind: 'text', weight: 0.8, cell: ({ verdict }) => words[verdict as 'valid'] },
  ];
  return tableOf(files.length === 0 ? words.noFiles : words.files, fields, files);
}

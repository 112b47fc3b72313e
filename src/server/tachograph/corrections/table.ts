import { type Field, type Table, tableOf } from '../../documents/report.ts';
import type { CorrectionKind } from '../engine/reports/corrections.ts';
import type { DriverDay } from '../engine/reports/driver-days.ts';
import { clockAt, dateAt } from '../engine/timeline/zone.ts';
import type { Labels, Language } from '../reports/labels.ts';
import type { CorrectionRow } from './store.ts';

const KINDS: Readonly<Record<CorrectionKind, Readonly<Record<Language, string>>>> = {
  selector: { it: 'selettore in posizione errata', en: 'selector in the wrong position' },
  'manual-entry': { it: 'inserimento manuale mancante', en: 'manual entry missing' },
  unknown: { it: 'periodo senza dati attribuito', en: 'time without data assigned' },
};

/** Corrections of a document: what was recorded, what a person says, who and why. */
export function correctionTable(
  corrections: readonly CorrectionRow[],
  days: readonly Pick<DriverDay, 'corrected'>[],
  { zone, language, words }: { readonly zone: string; readonly language: Language; readonly words: Labels },
): Table {
  const recorded = new Map<string, Set<string>>();
  for (const { id, was } of days.flatMap(({ corrected = [] }) => corrected)) {
    recorded.set(id, (recorded.get(id) ?? new Set()).add(words[was]));
  }
  const moment = (ms: number): string => {
    const minute = Math.floor(ms / 60_000);
    return `${dateAt(minute, zone)} ${clockAt(minute, zone)}`;
  };
  const fields: Field<CorrectionRow>[] = [
    { title: words.from, kind: 'date', weight: 1.2, cell: ({ from }) => moment(from) },
    { title: words.to, kind: 'date', weight: 1.2, cell: ({ to }) => moment(to) },
    { title: words.type, kind: 'text', weight: 1.5, cell: ({ kind }) => KINDS[kind][language] },
    { title: words.recorded, kind: 'text', weight: 1.2, cell: ({ id }) => [...(recorded.get(id) ?? [])].join(', ') },
    { title: words.correctedTo, kind: 'text', weight: 1, cell: ({ activity }) => words[activity] },
    { title: words.reason, kind: 'text', weight: 3, cell: ({ reason }) => reason },
    { title: words.author, kind: 'text', weight: 1.4, cell: ({ createdByName }) => createdByName },
    { title: words.createdOn, kind: 'date', weight: 1.2, cell: ({ createdAt }) => moment(createdAt) },
  ];
  return tableOf(words.corrections, fields, corrections);
}

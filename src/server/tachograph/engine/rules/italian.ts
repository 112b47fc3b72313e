import type { Minute } from '../timeline/timeline.ts';
import type { ItalianGrade, RuleId } from './findings.ts';
import { ART_174, DLGS_234, type FineTable } from './fines.ts';

/** Excess or shortfall against the limit: up to 10 %, up to 20 %, above. */
export function bandOf(limitMinutes: number, actualMinutes: number): 'a' | 'b' | 'c' {
  const tenths = Math.abs(actualMinutes - limitMinutes) / (limitMinutes / 10);
  if (tenths <= 1) return 'a';
  return tenths <= 2 ? 'b' : 'c';
}

type Subject = 'driving' | 'rest' | 'weekly-driving' | 'weekly-rest' | 'breaks';

/** Art. 174 does not cover a weekly rest that begins late, nor compensation. */
const SUBJECTS: Readonly<Partial<Record<RuleId, Subject>>> = {
  D1: 'driving',
  D2: 'weekly-driving',
  D3: 'weekly-driving',
  B1: 'breaks',
  R1: 'rest',
  R2: 'rest',
  R3: 'rest',
  W2: 'weekly-rest',
};

export function italianOf(rule: RuleId, at: Minute, limit: number, actual: number): ItalianGrade | null {
  const band = bandOf(limit, actual);
  const subject = SUBJECTS[rule];
  if (subject !== undefined) return ofRoadCode(subject, at, band);
  if (rule === 'T48' || rule === 'T60')
    return gradeOf('dlgs-234', DLGS_234, at, band === 'a' ? 'week-a' : 'week-b', band);
  if (rule === 'TB6') return gradeOf('dlgs-234', DLGS_234, at, 'breaks', null);
  return rule === 'TN' ? gradeOf('dlgs-234', DLGS_234, at, 'night', null) : null;
}

/** The commas of art. 174; up to 10 % of the weekly limits there is no comma. */
function ofRoadCode(subject: Subject, at: Minute, band: 'a' | 'b' | 'c'): ItalianGrade | null {
  if (subject === 'breaks') return gradeOf('cds-174', ART_174, at, 'breaks', null);
  if (band === 'a' && subject.startsWith('weekly')) return null;
  return gradeOf('cds-174', ART_174, at, `${subject}-${band}`, band);
}

function gradeOf(
  law: ItalianGrade['law'],
  tables: readonly FineTable[],
  at: Minute,
  row: string,
  band: ItalianGrade['band'],
): ItalianGrade | null {
  const date = new Date(at * 60_000).toISOString().slice(0, 10);
  const table = tables.find(({ from, until }) => date >= from && (until === null || date < until));
  const comma = tables[0]?.rows[row]?.comma;
  if (comma === undefined) return null;
  const found = table?.rows[row];
  return {
    law,
    comma,
    band,
    points: found?.points ?? null,
    fine:
      table === undefined || found === undefined
        ? null
        : {
            minEur: found.minEur,
            maxEur: found.maxEur,
            table: table.name,
            approximate: found.approximate ?? false,
          },
  };
}

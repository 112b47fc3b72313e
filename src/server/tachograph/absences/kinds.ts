/** Kinds of absence, with the code of the payroll column `assenza_causale` and the field of the attestation. */
export const ABSENCES = {
  'annual-leave': { code: 'FE', attested: 'annual-leave', it: 'ferie', en: 'annual leave' },
  'sick-leave': { code: 'MA', attested: 'sick-leave', it: 'malattia', en: 'sick leave' },
  injury: { code: 'IN', attested: 'sick-leave', it: 'infortunio', en: 'injury at work' },
  'parental-leave': { code: 'MT', attested: 'leave-or-rest', it: 'maternità, congedo parentale', en: 'parental leave' },
  'rest-in-lieu': { code: 'RC', attested: 'leave-or-rest', it: 'riposo compensativo', en: 'rest in lieu' },
  'paid-leave': { code: 'PE', attested: 'leave-or-rest', it: 'permesso retribuito', en: 'paid leave' },
  'unpaid-leave': { code: 'AS', attested: 'leave-or-rest', it: 'aspettativa', en: 'unpaid leave' },
  other: { code: 'AL', attested: 'leave-or-rest', it: 'altra assenza', en: 'other absence' },
} as const;

export type AbsenceKind = keyof typeof ABSENCES;
export const ABSENCE_KINDS = Object.keys(ABSENCES) as [AbsenceKind, ...AbsenceKind[]];

import type { FormLine, Report } from '../../documents/report.ts';
import { clockAt, dateAt } from '../engine/timeline/zone.ts';
import { labelsOf, legendOf } from '../reports/labels.ts';
import { ATTESTED, type AttestationRow, type Attested } from './store.ts';

/**
 * The form of Decision 2007/230/EC as amended by 2009/959/EU. Its text may not be modified, and any official language is
 * valid: the English text is always printed, the Italian one below it where it is wanted.
 */
interface Words {
  readonly en: string;
  readonly it: string;
}

const REGULATION = { en: 'Regulation (EC) No 561/2006 or the AETR', it: 'regolamento (CE) n. 561/2006 o dell’AETR' };
const ACTIVITIES: Readonly<Record<Attested, Words>> = {
  'sick-leave': { en: 'was on sick leave', it: 'era assente per malattia' },
  'annual-leave': { en: 'was on annual leave', it: 'era in ferie' },
  'leave-or-rest': { en: 'was on leave or rest', it: 'era in congedo o recupero' },
  'exempt-vehicle': {
    en: `drove a vehicle exempted from the scope of ${REGULATION.en}`,
    it: `era alla guida di un veicolo escluso dal campo di applicazione del ${REGULATION.it}`,
  },
  'other-work': { en: 'performed other work than driving', it: 'svolgeva un lavoro diverso dalla guida' },
  available: { en: 'was available', it: 'era disponibile' },
};
const T = {
  title: { en: 'ATTESTATION OF ACTIVITIES', it: 'ATTESTAZIONE DI ATTIVITÀ' },
  scope: { en: `(${REGULATION.en})`, it: '(Regolamento (CE) n. 561/2006 o AETR)' },
  typing: {
    en: 'To be filled in by typing and signed before a journey',
    it: 'Da compilare a macchina e firmare prima di ogni viaggio',
  },
  kept: {
    en: 'To be kept with the original control device records wherever they are required to be kept',
    it: 'Da conservare insieme alle registrazioni originali dell’apparecchio di controllo ovunque sia prescritto',
  },
  false: {
    en: 'False attestations constitute an infringement',
    it: 'Le attestazioni false costituiscono un’infrazione',
  },
  undertaking: {
    en: 'Part to be filled in by the undertaking',
    it: 'Parte da compilare a cura dell’impresa',
  },
  undersigned: { en: 'I, the undersigned:', it: 'Il sottoscritto:' },
  declare: { en: 'declare that the driver:', it: 'dichiara che il conducente:' },
  period: { en: 'for the period:', it: 'per il periodo:' },
  one: { en: 'Only one box may be chosen', it: 'È possibile scegliere una sola casella' },
} as const satisfies Record<string, Words>;

const date = (iso: string): string => iso.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3/$2/$1');
const moment = (ms: number, zone: string): string => {
  const minute = Math.floor(ms / 60_000);
  return `${clockAt(minute, zone)} – ${date(dateAt(minute, zone))}`;
};

export function attestationForm(row: AttestationRow): Report {
  const { undertaking, signatory, driver, place, date: on, language, zone } = row.content;
  const words = labelsOf(language);
  const line = ({ en, it }: Words, more: Partial<FormLine> = {}): FormLine => ({
    text: en,
    ...(language === 'it' && { translation: it }),
    ...more,
  });
  const field = (number: number, en: string, it: string, value: string): FormLine =>
    line({ en, it }, { number: String(number), value });
  const placeAndDate = { en: 'Place, date', it: 'Luogo, data' };
  const form: FormLine[] = [
    line(T.scope),
    line(T.typing),
    line(T.kept),
    line(T.false, { strong: true }),
    line(T.undertaking, { strong: true }),
    field(1, 'Name of the undertaking', 'Nome dell’impresa', undertaking.name),
    field(2, 'Street address, postal code, city, country', 'Indirizzo, CAP, città, paese', undertaking.address),
    field(
      3,
      'Telephone number (including international prefix)',
      'Numero di telefono (incluso il prefisso internazionale)',
      undertaking.telephone,
    ),
    field(
      4,
      'Fax number (including international prefix)',
      'Numero di fax (incluso il prefisso internazionale)',
      undertaking.fax,
    ),
    field(5, 'E-mail address', 'Indirizzo di posta elettronica', undertaking.email),
    line(T.undersigned, { strong: true }),
    field(6, 'Name and first name', 'Cognome e nome', signatory.name),
    field(7, 'Position in the undertaking', 'Qualifica in seno all’impresa', signatory.position),
    line(T.declare, { strong: true }),
    field(8, 'Name and first name', 'Cognome e nome', driver.name),
    field(9, 'Date of birth (day/month/year)', 'Data di nascita (giorno/mese/anno)', date(driver.birthDate)),
    field(
      10,
      'Driving licence or identity card or passport number',
      'Numero della patente o della carta d’identità o del passaporto',
      driver.document,
    ),
    field(
      11,
      'who has started to work at the undertaking on (day/month/year)',
      'che ha iniziato a lavorare presso l’impresa il (giorno/mese/anno)',
      date(driver.employedSince),
    ),
    line(T.period, { strong: true }),
    field(12, 'from (hour/day/month/year)', 'dalle (ora/giorno/mese/anno)', moment(row.from, zone)),
    field(13, 'to (hour/day/month/year)', 'alle (ora/giorno/mese/anno)', moment(row.to, zone)),
    ...ATTESTED.map((each, index) =>
      line(ACTIVITIES[each], { number: String(14 + index), checked: each === row.activity }),
    ),
    line(T.one),
    line(placeAndDate, { number: '20', value: `${place}, ${date(on)}` }),
    line({ en: 'Signature', it: 'Firma' }, { toSign: true }),
    line(
      {
        en: `I, the driver, confirm that I have not been driving a vehicle falling under the scope of ${REGULATION.en} during the period mentioned above.`,
        it: `Il sottoscritto conducente conferma di non aver guidato, nel periodo sopra indicato, un veicolo che rientra nel campo di applicazione del ${REGULATION.it}.`,
      },
      { number: '21' },
    ),
    line(placeAndDate, { number: '22', value: `${place}, ${date(on)}` }),
    line({ en: 'Signature of the driver', it: 'Firma del conducente' }, { toSign: true }),
  ];
  return {
    title: language === 'it' ? `${T.title.en} / ${T.title.it}` : T.title.en,
    language,
    orientation: 'portrait',
    sections: [{ title: '', facts: [], form, tables: [] }],
    legend: legendOf(words),
    footer: `${row.id} · ${words.footer} Fleetgate${row.revokedAt === null ? '' : ` · ${words.revoked}`}`,
  };
}

import type { Notice } from '../engine/rules/index.ts';
import { factOf } from '../infringements/texts.ts';
import type { Language } from '../reports/labels.ts';

type Kind = Notice['kind'];

export const NOTICE_KINDS = [
  'missing-data',
  'undeclared-activity',
  'driving-without-card',
  'place-missing',
  'border-missing',
  'late-download',
  'rest-in-vehicle',
  'return-home',
  'infringement-corrected',
] as const satisfies readonly Kind[];

interface NoticeTexts {
  readonly article: string | null;
  readonly it: string;
  readonly en: string;
}

const TEXTS: Readonly<Record<Kind, NoticeTexts>> = {
  'missing-data': { article: null, it: 'Giornate senza dati', en: 'Days without data' },
  'undeclared-activity': {
    article: '165/2014 34(3)',
    it: 'Attività non dichiarata a carta estratta',
    en: 'Activity with the card withdrawn was not declared',
  },
  'driving-without-card': {
    article: '165/2014 34(1)',
    it: 'Guida senza carta',
    en: 'Driving without a card',
  },
  'place-missing': {
    article: '165/2014 34(7)',
    it: 'Paese di inizio o fine giornata non inserito',
    en: 'Country of begin or end of the day not entered',
  },
  'border-missing': {
    article: '165/2014 34(7)',
    it: 'Attraversamento di frontiera non inserito',
    en: 'Border crossing not entered',
  },
  'late-download': {
    article: '581/2010 1',
    it: 'Scarico della carta oltre 28 giorni',
    en: 'Card downloaded after more than 28 days',
  },
  'rest-in-vehicle': {
    article: '561/2006 8(8)',
    it: 'Riposo settimanale regolare lontano dalla sede: verificare che non sia avvenuto a bordo del veicolo',
    en: 'Regular weekly rest away from home: check that it was not taken in the vehicle',
  },
  'return-home': {
    article: '561/2006 8(8a)',
    it: 'Nessun rientro alla sede o alla residenza nel periodo previsto',
    en: 'No return to the base or home within the time allowed',
  },
  'infringement-corrected': {
    article: null,
    it: 'Infrazione nei dati registrati che dopo una correzione non risulta',
    en: 'Infringement in the recorded data that is not found after a correction',
  },
};

const PLACES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  began: { it: 'Paese di inizio giornata non inserito', en: 'Country of begin of the day not entered' },
  ended: { it: 'Paese di fine giornata non inserito', en: 'Country of end of the day not entered' },
  'began and ended': {
    it: 'Paese di inizio e di fine giornata non inseriti',
    en: 'Countries of begin and end of the day not entered',
  },
};

/** What is missing is named: which end of the day, between which states; and an infringement that a correction removes. */
export function noticeText({ kind, detail }: Pick<Notice, 'kind' | 'detail'>, language: Language): string {
  const text = TEXTS[kind][language];
  if (kind === 'infringement-corrected') return `${text}: ${factOf(detail, language)}`;
  if (kind === 'place-missing') return PLACES[/period (.+)$/.exec(detail)?.[1] ?? '']?.[language] ?? text;
  const [, from, to] = (kind === 'border-missing' ? /from (\S+) to (\S+),/.exec(detail) : null) ?? [];
  return from === undefined ? text : `${text}: ${from} – ${to}`;
}
export const noticeArticle = (kind: Kind): string | null => TEXTS[kind].article;

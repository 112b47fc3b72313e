import type { Derogation, Remark, RuleId } from '../engine/rules/index.ts';
import type { Language } from '../reports/labels.ts';
import type { InfringementRow, Status } from './store.ts';

interface Pair {
  readonly it: string;
  readonly en: string;
}

const FACTS: Readonly<Record<RuleId, Pair>> = {
  D1: { it: 'Periodo di guida giornaliero superato', en: 'Daily driving time exceeded' },
  D2: { it: 'Periodo di guida settimanale superato', en: 'Weekly driving time exceeded' },
  D3: { it: 'Periodo di guida di due settimane superato', en: 'Driving time of two weeks exceeded' },
  B1: { it: 'Interruzione di guida mancante o insufficiente', en: 'Break from driving missing or too short' },
  R1: { it: 'Riposo giornaliero insufficiente', en: 'Daily rest too short' },
  R2: { it: 'Riposo giornaliero ridotto oltre i tre consentiti', en: 'More than three reduced daily rests' },
  R3: { it: 'Riposo giornaliero in multipresenza insufficiente', en: 'Daily rest of a crew too short' },
  W1: { it: 'Riposo settimanale iniziato in ritardo', en: 'Weekly rest begun too late' },
  W2: { it: 'Riposo settimanale insufficiente', en: 'Weekly rest too short' },
  W3: { it: 'Riposo settimanale ridotto non compensato', en: 'Reduced weekly rest not compensated' },
  T48: { it: 'Media di 48 ore settimanali superata', en: 'Weekly average of 48 hours exceeded' },
  T60: { it: 'Limite di 60 ore settimanali superato', en: 'Weekly limit of 60 hours exceeded' },
  TB6: { it: 'Pausa dal lavoro mancante o insufficiente', en: 'Break from work missing or too short' },
  TN: { it: 'Lavoro notturno oltre 10 ore', en: 'Night work of more than 10 hours' },
};

export const factOf = (rule: string, language: Language): string => FACTS[rule as RuleId]?.[language] ?? rule;

const LAWS: Readonly<Record<string, Pair>> = {
  '561/2006': { it: 'Reg. (CE) 561/2006, art.', en: 'Reg. (EC) 561/2006, art.' },
  '2002/15': { it: 'Dir. 2002/15/CE, art.', en: 'Dir. 2002/15/EC, art.' },
  '165/2014': { it: 'Reg. (UE) 165/2014, art.', en: 'Reg. (EU) 165/2014, art.' },
  '581/2010': { it: 'Reg. (UE) 581/2010, art.', en: 'Reg. (EU) 581/2010, art.' },
};

/** `561/2006 6(1)` in words. */
export function articleText(article: string, language: Language): string {
  const [law = '', clause = ''] = article.split(' ');
  return LAWS[law] === undefined ? article : `${LAWS[law][language]} ${clause}`;
}

/** The range of the Italian sanction, with the clause that it is from; empty if no table covers it. */
export function sanctionText({ content: { italian } }: Pick<InfringementRow, 'content'>): string {
  if (italian === null || italian === undefined) return '';
  const { law, comma, fine } = italian;
  const clause = law === 'cds-174' ? `art. 174 c. ${comma} CdS` : `D.Lgs. 234/2007 art. ${comma}`;
  if (fine === null) return clause;
  const table = clause.startsWith(fine.table) ? '' : ` (${fine.table})`;
  return `${fine.approximate ? '~ ' : ''}€ ${fine.minEur}–${fine.maxEur}, ${clause}${table}`;
}

const STATUS: Readonly<Record<Status, Pair>> = {
  open: { it: 'aperta', en: 'open' },
  justified: { it: 'giustificata', en: 'justified' },
  acknowledged: { it: 'presa visione', en: 'acknowledged' },
};
export const statusText = (status: Status, language: Language): string => STATUS[status][language];

const REMARKS: Readonly<Record<Remark, Pair>> = {
  'derogation-possible': { it: 'deroga possibile', en: 'derogation possible' },
  'derogation-applied': { it: 'deroga applicata', en: 'derogation applied' },
  'practice-differs': {
    it: 'pausa iniziale prima della guida non conteggiata: la prassi è difforme',
    en: 'a break before any driving was not counted: practice differs',
  },
  'grade-from-memory': {
    it: 'gravità non confrontata con il testo pubblicato',
    en: 'severity not compared with the published text',
  },
  corrected: { it: 'dati corretti da una persona', en: 'data corrected by a person' },
};
export const remarkText = (remark: string, language: Language): string =>
  REMARKS[remark as Remark]?.[language] ?? remark;

const CHECKS: Readonly<Record<Derogation['check'], Pair>> = {
  'crossing-of-eight-hours': {
    it: 'verificare traversata prevista di almeno otto ore e cabina, branda o cuccetta',
    en: 'check for a crossing scheduled for eight hours or more and a sleeper cabin, bunk or couchette',
  },
  'both-rests-abroad': {
    it: 'verificare che entrambi i riposi ridotti siano iniziati fuori dagli Stati di stabilimento e di residenza',
    en: 'check whether both reduced rests began outside the states of establishment and residence',
  },
  'occasional-trip': {
    it: 'verificare un servizio occasionale di almeno sei giorni',
    en: 'check for a trip of at least six days on an occasional service',
  },
};

/** `deroga possibile, Reg. (CE) 561/2006, art. 9(1): verificare …` */
export const derogationText = ({ article, check }: Derogation, language: Language): string =>
  `${remarkText('derogation-possible', language)}, ${articleText(`561/2006 ${article}`, language)}: ${CHECKS[check][language]}`;

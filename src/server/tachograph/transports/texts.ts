import { countryCode, isoOf } from '../engine/nations.ts';
import type { CabotageRemark, CabotageStatus } from '../engine/transport/cabotage.ts';
import type { StayPurpose } from '../engine/transport/crossings.ts';
import type { OperationKind } from '../engine/transport/operations.ts';
import type { Language } from '../reports/labels.ts';

type Texts<K extends string> = Readonly<Record<K, Readonly<Record<Language, string>>>>;

export const KINDS: Texts<OperationKind> = {
  national: { it: 'nazionale', en: 'national' },
  bilateral: { it: 'bilaterale', en: 'bilateral' },
  'cross-trade': { it: 'internazionale non bilaterale (cross-trade)', en: 'cross-trade' },
  cabotage: { it: 'cabotaggio', en: 'cabotage' },
  undetermined: { it: 'da determinare', en: 'to be determined' },
};

export const TYPES: Texts<'international' | 'cabotage'> = {
  international: { it: 'trasporto internazionale', en: 'international carriage' },
  cabotage: { it: 'cabotaggio', en: 'cabotage' },
};

export const STATUS: Texts<CabotageStatus> = {
  allowed: { it: 'consentito', en: 'allowed' },
  review: { it: 'da verificare', en: 'to be reviewed' },
  'not-allowed': { it: 'non consentito', en: 'not allowed' },
};

export const REMARKS: Texts<CabotageRemark> = {
  'no-incoming-carriage': {
    it: 'nessun trasporto internazionale in entrata (art. 8(2))',
    en: 'no incoming international carriage (art. 8(2))',
  },
  'incoming-not-delivered': {
    it: 'merci del trasporto in entrata non ancora consegnate (art. 8(2))',
    en: 'goods of the incoming carriage not delivered yet (art. 8(2))',
  },
  'fourth-operation': { it: 'oltre tre operazioni (art. 8(2))', en: 'more than three operations (art. 8(2))' },
  'after-seven-days': { it: 'oltre sette giorni (art. 8(2))', en: 'after seven days (art. 8(2))' },
  'second-in-state': {
    it: 'più di una operazione nello stesso altro Stato membro o dopo il rientro (art. 8(2))',
    en: 'more than one operation in the same other Member State, or after the return (art. 8(2))',
  },
  'after-three-days': {
    it: 'oltre tre giorni dall’ingresso a vuoto (art. 8(2))',
    en: 'after three days from the unladen entry (art. 8(2))',
  },
  'cooling-off': { it: 'entro i quattro giorni di pausa (art. 8(2 bis))', en: 'within four days (art. 8(2a))' },
  'carriage-between': {
    it: 'altro trasporto nel frattempo',
    en: 'another carriage in between',
  },
  'entry-unknown': { it: 'ingresso nello Stato membro non noto', en: 'entry into the Member State not known' },
  'not-unloaded': { it: 'scarico non registrato', en: 'unloading not recorded' },
  'several-points': {
    it: 'più carichi e più scarichi: possono contare come più operazioni',
    en: 'several loadings and unloadings: they may count as several operations',
  },
  'outside-union': {
    it: 'fuori dal SEE: si applicano gli accordi con quel paese',
    en: 'outside the EEA: agreements with that country apply',
  },
};

export const PURPOSES: Texts<StayPurpose> = {
  loading: { it: 'carico o scarico', en: 'loading or unloading' },
  transit: { it: 'transito', en: 'transit' },
  unladen: { it: 'a vuoto', en: 'unladen' },
  undetermined: { it: 'da determinare', en: 'to be determined' },
};

export const WORDS = {
  it: {
    title: 'Distacco dei conducenti e cabotaggio',
    postings: 'Dichiarazioni di distacco (IMI)',
    noPostings: 'Dichiarazioni di distacco (IMI): nessuna',
    host: 'Stato membro ospitante',
    licence: 'Patente',
    types: 'Tipo di trasporto',
    from: 'Inizio',
    to: 'Fine',
    vehicles: 'Targhe',
    remarks: 'Note',
    ends: 'carico, scarico o confine non noti',
    operations: 'Operazioni di trasporto',
    loaded: 'Carico',
    unloaded: 'Scarico',
    country: 'Paese',
    kind: 'Operazione',
    posted: 'Distacco',
    yes: 'sì',
    no: 'no',
    unknown: 'da determinare',
    additional: 'attività aggiuntiva',
    combined: 'trasporto combinato',
    ownDrivers: 'conteggio limitato ai conducenti visibili all’utente',
    assumed: 'abbinamento presunto',
    entered: 'inserita',
    cabotage: 'Cabotaggio per veicolo (Reg. (CE) 1072/2009, art. 8)',
    number: 'N.',
    until: 'Entro il',
    status: 'Esito',
    stays: 'Permanenze all’estero',
    purpose: 'Motivo',
    left: 'Operazioni rimaste',
    pause: 'Pausa fino al',
    note:
      'Ricavato dai dati del tachigrafo e dalle operazioni inserite; fa fede il contratto di trasporto. Periodi in giorni ' +
      'secondo il Reg. (CEE, Euratom) 1182/71, senza i giorni festivi.',
  },
  en: {
    title: 'Posting of drivers and cabotage',
    postings: 'Posting declarations (IMI)',
    noPostings: 'Posting declarations (IMI): none',
    host: 'Host Member State',
    licence: 'Licence',
    types: 'Type of transport',
    from: 'Start',
    to: 'End',
    vehicles: 'Plates',
    remarks: 'Remarks',
    ends: 'loading, unloading or border not known',
    operations: 'Transport operations',
    loaded: 'Loaded',
    unloaded: 'Unloaded',
    country: 'Country',
    kind: 'Operation',
    posted: 'Posted',
    yes: 'yes',
    no: 'no',
    unknown: 'to be determined',
    additional: 'additional activity',
    combined: 'combined transport',
    ownDrivers: 'only drivers that the user sees are counted',
    assumed: 'assignment assumed',
    entered: 'entered',
    cabotage: 'Cabotage by vehicle (Reg. (EC) 1072/2009, art. 8)',
    number: 'No.',
    until: 'Until',
    status: 'Result',
    stays: 'Stays abroad',
    purpose: 'Purpose',
    left: 'Operations left',
    pause: 'Cooling-off until',
    note:
      'Derived from tachograph data and entered operations; the transport contract decides. Periods in days by Regulation ' +
      '(EEC, Euratom) No 1182/71, without public holidays.',
  },
} as const;

/** As the declaration names it; letters where it is no member. */
export function countryName(country: number | null, language: Language): string {
  if (country === null) return '?';
  const iso = isoOf(country);
  const name = iso === undefined ? undefined : new Intl.DisplayNames([language], { type: 'region' }).of(iso);
  return name === undefined ? countryCode(country) : `${name} (${iso})`;
}

import { formatMinutes } from '../../documents/cells.ts';
import type { Cell, Column } from '../../documents/report.ts';
import { countryCode } from '../engine/nations.ts';
import type { LulDay } from '../engine/reports/month.ts';
import { clockAt } from '../engine/timeline/zone.ts';
import { type Language, labelsOf, weekdayName } from '../reports/labels.ts';
import type { LayoutColumn, LulField } from '../terms/schema.ts';
import type { DriverMonth } from './driver-months.ts';

/** What a day is shown with: whose it is, and what stands beside it. */
export interface DayContext {
  readonly driverMonth: DriverMonth;
  readonly zone: string;
  readonly language: Language;
}

type Value = string | number | boolean | null;

const LENGTHS: ReadonlySet<LulField> = new Set<LulField>([
  ...(['spread', 'driving', 'work', 'availability', 'breaks', 'dailyRest', 'working', 'ordinary', 'overtime'] as const),
  ...(['night', 'nightPeriod', 'holiday', 'unknown'] as const),
]);

/** The value of a field of a day: durations in minutes, times of day as text. */
export function valueFrom(field: LulField, day: LulDay, { driverMonth, zone, language }: DayContext): Value {
  switch (field) {
    case 'weekday':
      return weekdayName(day.weekday, language);
    case 'start':
    case 'end':
      return day[field] === null ? null : clockAt(day[field], zone);
    case 'travel':
      return day.travel === null ? null : { home: 'I', abroad: 'E' }[day.travel];
    case 'nightAway':
      return day.nightAway === null ? null : day.nightAway ? 'S' : 'N';
    case 'plates':
      return day.plates.join(' ');
    case 'countries':
      return day.countries.map(countryCode).join(' ');
    case 'infringements':
      return driverMonth.infringements.get(day.date)?.join(' ') ?? '';
    case 'cost':
      return driverMonth.costs.get(day.date) ?? null;
    case 'absence':
      // of the register and of attestations: tachographs do not record reasons of absence
      return day.absence ?? '';
    case 'notes':
      return [
        ...(day.isRestAssumed === true ? [labelsOf(language).assumedRest] : []),
        ...(day.unknown > 0 ? [`${formatMinutes(day.unknown)} ${labelsOf(language).unknown.toLowerCase()}`] : []),
      ].join(', ');
    case 'driverName':
      return driverMonth.driver.name;
    case 'driverId':
      return driverMonth.driver.id;
    case 'cardNumber':
      return driverMonth.driver.cards.join(' ');
    case 'employeeNumber':
      return driverMonth.driver.employeeNumber ?? '';
    case 'taxCode':
      return driverMonth.driver.taxCode ?? '';
    case 'month':
      return driverMonth.month.month;
    case 'date':
    case 'km':
    case 'presence':
    case 'spread':
    case 'driving':
    case 'work':
    case 'availability':
    case 'breaks':
    case 'dailyRest':
    case 'working':
    case 'ordinary':
    case 'overtime':
    case 'night':
    case 'nightPeriod':
    case 'holiday':
    case 'unknown':
      return day[field];
  }
}

/** As a column of a layout writes it. */
export function cellOf({ field, as }: LayoutColumn, day: LulDay, context: DayContext): Cell {
  const value = valueFrom(field, day, context);
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string' || !LENGTHS.has(field)) return value;
  if (as === 'hours') return Math.round((value / 60) * 100) / 100;
  return as === 'text' ? String(value) : value;
}

/** A column of a layout of our own. */
interface OwnColumn extends LayoutColumn {
  /** for CSV and spreadsheets, where several drivers are in one table */
  readonly offPage?: true;
}

/** How the trade heads the columns on paper; files keep their names, which payroll systems read. */
const HEADINGS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  data: { it: 'Data', en: 'Date' },
  giorno: { it: 'Giorno', en: 'Day' },
  presenza: { it: 'Pres.', en: 'Pres.' },
  ore_guida: { it: 'Guida', en: 'Driving' },
  altro_lavoro: { it: 'Altro lavoro', en: 'Other work' },
  disponibilita: { it: 'Dispon.', en: 'Availab.' },
  ore_lavoro_effettivo: { it: 'Lavoro effettivo', en: 'Working time' },
  ore_ordinarie: { it: 'Ordinarie', en: 'Ordinary' },
  straordinario: { it: 'Straord.', en: 'Overtime' },
  notturno_ccnl: { it: 'Notte CCNL', en: 'Night (CCNL)' },
  notturno_dlgs234: { it: 'Notte 234/2007', en: 'Night 234/2007' },
  festivo_domenicale: { it: 'Festivo', en: 'Holiday' },
  inizio_turno: { it: 'Inizio', en: 'Start' },
  fine_turno: { it: 'Fine', en: 'End' },
  nastro: { it: 'Nastro', en: 'Spread' },
  pause: { it: 'Pause', en: 'Breaks' },
  riposo_giornaliero: { it: 'Riposo giorn.', en: 'Daily rest' },
  trasferta: { it: 'Trasferta', en: 'Travel' },
  pernottamento: { it: 'Pernott.', en: 'Night away' },
  assenza_causale: { it: 'Causale assenza', en: 'Reason of absence' },
  paesi: { it: 'Paesi', en: 'States' },
  km: { it: 'Km', en: 'Km' },
  targhe: { it: 'Targhe', en: 'Plates' },
  infrazioni: { it: 'Infrazioni', en: 'Infring.' },
  costo: { it: 'Costo', en: 'Cost' },
  note: { it: 'Note', en: 'Notes' },
  dati_mancanti: { it: 'Ore senza dati', en: 'Hours without data' },
};

export function columnOf(column: OwnColumn, language: Language): Column {
  const heading = HEADINGS[column.title]?.[language];
  return { ...plainColumn(column), ...(heading === undefined ? {} : { heading }) };
}

function plainColumn({ title, field, as, offPage = undefined }: OwnColumn): Column {
  if (field === 'date') return { title, kind: 'date', weight: 1.2 };
  if (offPage === true) return { title, kind: 'text', weight: 1.6, offPage };
  if (!LENGTHS.has(field)) {
    const isNumber = field === 'km' || field === 'cost';
    return { title, kind: isNumber ? (field === 'cost' ? 'hours' : 'number') : 'text', weight: WIDE[field] ?? 0.8 };
  }
  const kind = { clock: 'minutes', hours: 'hours', minutes: 'number', text: 'text' } as const;
  // hours as a number stand beside the clock's in spreadsheets, and take no room on paper
  return { title, kind: kind[as], weight: 0.8, offPage: as === 'hours' };
}

const WIDE: Partial<Record<LulField, number>> = {
  date: 1.2,
  plates: 1.4,
  infringements: 1.5,
  cost: 0.9,
  driverName: 1.6,
  notes: 1.7,
  weekday: 0.6,
  presence: 0.6,
};

const both = (title: string, field: LulField): LayoutColumn[] => [
  { title, field, as: 'clock' },
  { title: `${title} (cent.)`, field, as: 'hours' },
];
const one = (title: string, field: LulField): LayoutColumn => ({ title, field, as: 'clock' });

const HOURS: readonly LayoutColumn[] = [
  ...both('ore_guida', 'driving'),
  ...both('altro_lavoro', 'work'),
  ...both('disponibilita', 'availability'),
  ...both('ore_lavoro_effettivo', 'working'),
  ...both('ore_ordinarie', 'ordinary'),
  ...both('straordinario', 'overtime'),
  ...both('notturno_ccnl', 'night'),
  ...both('notturno_dlgs234', 'nightPeriod'),
  ...both('festivo_domenicale', 'holiday'),
];

const WHOSE: readonly OwnColumn[] = [
  { ...one('conducente', 'driverName'), offPage: true },
  { ...one('matricola', 'employeeNumber'), offPage: true },
  { ...one('codice_fiscale', 'taxCode'), offPage: true },
];

/** D.L. 112/2008, article 39: what the consultant needs, and no more. */
const STANDARD: readonly OwnColumn[] = [
  ...WHOSE,
  one('data', 'date'),
  one('giorno', 'weekday'),
  one('presenza', 'presence'),
  ...HOURS,
  one('trasferta', 'travel'),
  one('pernottamento', 'nightAway'),
  one('assenza_causale', 'absence'),
  one('note', 'notes'),
  ...both('dati_mancanti', 'unknown'),
];

/** The same month for those who lead; not for third parties. */
const INTERNAL: readonly OwnColumn[] = [
  ...WHOSE,
  one('data', 'date'),
  one('giorno', 'weekday'),
  one('presenza', 'presence'),
  one('inizio_turno', 'start'),
  one('fine_turno', 'end'),
  ...both('nastro', 'spread'),
  ...HOURS,
  ...both('pause', 'breaks'),
  ...both('riposo_giornaliero', 'dailyRest'),
  one('trasferta', 'travel'),
  one('paesi', 'countries'),
  one('pernottamento', 'nightAway'),
  one('km', 'km'),
  one('targhe', 'plates'),
  one('infrazioni', 'infringements'),
  one('costo', 'cost'),
  one('note', 'notes'),
  ...both('dati_mancanti', 'unknown'),
];

/** There is no published layout of that name: this is our own until a partner provides one. */
const BSQ: readonly LayoutColumn[] = [
  one('id_conducente', 'driverId'),
  one('conducente', 'driverName'),
  one('carta', 'cardNumber'),
  one('data', 'date'),
  one('presenza', 'presence'),
  ...(
    [
      ['lavoro_min', 'working'] as const,
      ['guida_min', 'driving'] as const,
      ['ordinarie_min', 'ordinary'] as const,
      ['straordinario_min', 'overtime'] as const,
      ['notturno_min', 'night'] as const,
      ['disponibilita_min', 'availability'] as const,
      ['dati_mancanti_min', 'unknown'] as const,
    ] as const
  ).map(([title, field]): LayoutColumn => ({ title, field, as: 'minutes' })),
  one('km', 'km'),
];

export const OWN_LAYOUTS = { standard: STANDARD, internal: INTERNAL, bsq: BSQ } as const;

/** A tenant's own layouts go before ours; `undefined`: there is none of that name. */
export function layoutOf(
  name: string,
  own: Readonly<Record<string, readonly LayoutColumn[]>>,
): readonly OwnColumn[] | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(OWN_LAYOUTS, name) ? OWN_LAYOUTS[name as keyof typeof OWN_LAYOUTS] : undefined;
}

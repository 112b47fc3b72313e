import type { paths } from '../../../../dist/client/fleetgate.d.ts';

type Settings = paths['/v1/drivers/ddd/settings'];
export type Terms = Settings['get']['responses']['200']['content']['application/json'];
type Body = Settings['put']['requestBody']['content']['application/json'];

/** 39:00 for 2340 */
export const clockText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Minutes of `39:00`. */
const minutesOfClock = (text: string): number => {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
};

/** A field of time ends with 23:59, the day with 24:00. */
const LAST_MINUTE = 1_439;
const DAY = 1_440;
const endOfDay = (minutes: number): number => (minutes === LAST_MINUTE ? DAY : minutes);

export const nightOf = ({ night }: Terms, name: 'nightFrom' | 'nightTo'): number =>
  Math.min(name === 'nightFrom' ? night.from : night.to, LAST_MINUTE);

export const placesText = (places: Terms['bases']): string =>
  places.map(({ latitude, longitude }) => `${latitude}, ${longitude}`).join('\n');

/** A place in each line, as maps copy it; what is no number is answered by the API with the field that is wrong. */
const placesOf = (text: string): Terms['bases'] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [latitude, longitude] = line.split(/[\s,;]+/).filter(Boolean);
      return { latitude: Number(latitude), longitude: Number(longitude) };
    });

const EMPLOYER = ['name', 'address', 'telephone', 'email', 'taxCode', 'vatNumber', 'insuranceNumber'] as const;

/** The settings with what a form has; without the name of an employer there is none. */
export function readTerms(terms: Terms, field: (name: string) => string): Body {
  const nation = (name: string): number | null => (field(name) === '' ? null : Number(field(name)));
  const printed = Object.fromEntries(EMPLOYER.map((name) => [name, field(name)])) as Record<
    (typeof EMPLOYER)[number],
    string
  >;
  return {
    ...terms,
    employer: printed.name === '' ? null : { fax: terms.employer?.fax ?? '', ...printed },
    homeNation: nation('homeNation') ?? terms.homeNation,
    residence: nation('residence'),
    service: field('service') as Terms['service'],
    unknownAs: field('unknownAs') as Terms['unknownAs'],
    bases: placesOf(field('bases')),
    baseRadiusM: Number(field('baseRadiusM')),
    zone: field('zone') === '' ? null : field('zone'),
    attribution: field('attribution') as Terms['attribution'],
    weeklyMinutes: minutesOfClock(field('weekly')),
    referenceMonths: Number(field('referenceMonths')),
    night: { from: minutesOfClock(field('nightFrom')), to: endOfDay(minutesOfClock(field('nightTo'))) },
    travelFromMinutes: minutesOfClock(field('travelFrom')),
    holidays: field('holidays')
      .split(/[\s,;]+/)
      .filter(Boolean),
    availabilityAsWork: field('availabilityAsWork') === 'yes',
  };
}

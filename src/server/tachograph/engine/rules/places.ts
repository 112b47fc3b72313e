import { type DriverIdentity, driverOf, type TimelineSource } from '../timeline/build.ts';
import type { BorderCrossing, CardReference, GnssPlace, GnssRecord, Place } from '../values.ts';
import type { KnownPlace } from './analysis.ts';

/** Codes that name no country: no information, and the rest of the world. */
const NO_COUNTRY = new Set([0, 0xfd, 0xfe, 0xff]);

const minuteOf = (seconds: number): number => Math.floor(seconds / 60);
const countryOf = (country: number): number | null => (NO_COUNTRY.has(country) ? null : country);

/** Where the driver was, from the records of cards and units: places, border crossings, positions on the way. */
export function placesOf(sources: readonly TimelineSource[], driver: DriverIdentity): KnownPlace[] {
  const places = new Map<string, KnownPlace>();
  const add = (place: KnownPlace | null): void => {
    if (place !== null) places.set(`${place.at}/${place.kind}`, place);
  };
  const isOwn = (card: CardReference | null): boolean =>
    card !== null && card.nation === driver.nation && card.number.startsWith(driver.number);
  for (const { file } of sources) {
    const card = file.kind === 'vehicle-unit' ? file.card : file;
    const own = card === undefined ? undefined : driverOf(card);
    if (card !== undefined && own?.nation === driver.nation && own.number === driver.number) {
      for (const section of [card.gen1, card.gen2]) {
        section?.places.map(fromPlace).forEach(add);
        section?.borderCrossings.map(fromCrossing).forEach(add);
        section?.gnss.map(fromGnss).forEach(add);
      }
    }
    if (file.kind !== 'vehicle-unit') continue;
    for (const day of file.days) {
      day.places
        .filter((place) => isOwn(place.card))
        .map(fromPlace)
        .forEach(add);
      const both = ({ driver: one, coDriver }: { driver: CardReference | null; coDriver: CardReference | null }) =>
        isOwn(one) || isOwn(coDriver);
      day.borderCrossings.filter(both).map(fromCrossing).forEach(add);
      day.gnss.filter(both).map(fromGnss).forEach(add);
    }
  }
  return [...places.values()].sort((a, b) => a.at - b.at || (a.kind < b.kind ? -1 : 1));
}

const fromPlace = ({ time, entryType, country, gnss }: Place): KnownPlace => ({
  at: minuteOf(time),
  country: countryOf(country),
  position: positionOf(gnss),
  kind: entryType % 2 === 0 ? 'begin' : 'end',
});

const fromCrossing = ({ gnss, countryEntered }: BorderCrossing): KnownPlace | null =>
  gnss.time === null
    ? null
    : { at: minuteOf(gnss.time), country: countryOf(countryEntered), position: gnss.position, kind: 'border' };

const fromGnss = ({ time, gnss }: GnssRecord): KnownPlace => ({
  at: minuteOf(time),
  country: null,
  position: positionOf(gnss),
  kind: 'way',
});

const positionOf = (gnss: GnssPlace | undefined): KnownPlace['position'] => gnss?.position ?? null;

import type { PlaceMap } from '../../../documents/report.ts';
import { countryCode } from '../../../tachograph/nations.ts';
import type { PlaceNote } from '../../../tachograph/reports/driver-days.ts';
import type { ReportDay } from '../../../tachograph/reports/report-days.ts';
import { clockAt } from '../../../tachograph/timeline/zone.ts';
import type { Labels } from './labels.ts';

const HAS_COUNTRY: ReadonlySet<PlaceNote['kind']> = new Set(['begin', 'end', 'border']);

/** Where the driver was, as far as files have positions of it. */
export const placeMapOf = (days: readonly ReportDay[], zone: string, words: Labels): PlaceMap => ({
  title: words.mapOfPlaces,
  kinds: {
    begin: { color: '#2a7f3f', text: words.begin },
    end: { color: '#1d3557', text: words.end },
    border: { color: '#d1495b', text: words.border },
    load: { color: '#e09f3e', text: words.load },
    unload: { color: '#7b4fa3', text: words.unload },
    'load-unload': { color: '#9a6b3f', text: words.loadUnload },
    way: { color: '#6b7f99', text: words.way },
  },
  points: days.flatMap(({ date, places }) =>
    places.flatMap(({ at, kind, country, position }) => {
      if (position === null) return [];
      const when = `${date.slice(8)}/${date.slice(5, 7)} ${clockAt(Math.floor(at / 60), zone)}`;
      const label = kind === 'way' ? '' : HAS_COUNTRY.has(kind) ? `${when} ${countryCode(country)}` : when;
      return [{ longitude: position.longitude, latitude: position.latitude, kind, label }];
    }),
  ),
});

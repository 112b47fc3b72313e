import type { PlaceMap } from '../../documents/report.ts';
import { countryCode } from '../engine/nations.ts';
import type { PlaceNote } from '../engine/reports/driver-days.ts';
import type { ReportDay } from '../engine/reports/report-days.ts';
import { clockAt } from '../engine/timeline/zone.ts';
import type { Labels } from './labels.ts';

const HAS_COUNTRY: ReadonlySet<PlaceNote['kind']> = new Set(['begin', 'end', 'border']);

/** Where the driver was, as far as files have positions of it. Of the same kind at the same place one label says how often. */
export function placeMapOf(days: readonly ReportDay[], zone: string, words: Labels): PlaceMap {
  const notes = days.flatMap(({ date, places }) =>
    places.flatMap(({ position, ...place }) => (position === null ? [] : [{ ...place, ...position, date }])),
  );
  const keyOf = ({ kind, country, latitude, longitude }: (typeof notes)[number]): string =>
    [kind, country, latitude.toFixed(2), longitude.toFixed(2)].join('/');
  const times = new Map<string, number>();
  for (const note of notes) times.set(keyOf(note), (times.get(keyOf(note)) ?? 0) + 1);
  const labelled = new Set<string>();
  const labelOf = (note: (typeof notes)[number]): string => {
    const { date, at, kind, country } = note;
    const key = keyOf(note);
    if (kind === 'way' || labelled.has(key)) return '';
    labelled.add(key);
    const when = `${date.slice(8)}/${date.slice(5, 7)} ${clockAt(Math.floor(at / 60), zone)}`;
    const more = times.get(key)! > 1 ? ` ×${times.get(key)}` : '';
    return `${when}${HAS_COUNTRY.has(kind) ? ` ${countryCode(country)}` : ''}${more}`;
  };
  return {
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
    points: notes.map((note) => ({
      longitude: note.longitude,
      latitude: note.latitude,
      kind: note.kind,
      label: labelOf(note),
    })),
  };
}

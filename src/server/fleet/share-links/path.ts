import type pg from 'pg';
import { readFixes } from '../../movement/api/index.ts';
import { findStretches, type OpenLink } from './store.ts';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Places of the vehicle in the interval of the link, oldest first and evenly spread, with the first and the last: at most
 * twice `most`, however many fixes there are.
 */
export async function readPlaces(
  { app, streams }: { readonly app: pg.Pool; readonly streams: pg.Pool },
  link: OpenLink,
  most: number,
): Promise<Place[]> {
  let places: Place[] = [];
  // one of `step` fixes is kept; when the limit is reached, every second place is removed
  let step = 1;
  let count = 0;
  let last: Place | undefined;
  for (const stretch of await findStretches(app, link)) {
    await readFixes(
      streams,
      link.tenantId,
      stretch,
      (fixes) => {
        for (let i = 0; i < fixes.count; i++) {
          last = { latitude: fixes.latitude[i]!, longitude: fixes.longitude[i]! };
          if (count++ % step !== 0) continue;
          places.push(last);
          if (places.length < 2 * most) continue;
          places = places.filter((_, place) => place % 2 === 0);
          step *= 2;
        }
      },
      { columns: 'places' },
    );
  }
  if (last !== undefined && places.at(-1) !== last) places.push(last);
  return places;
}

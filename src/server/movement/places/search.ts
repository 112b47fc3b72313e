import { request } from 'undici';
import { findPlace, type Language, PLACES_ATTRIBUTION } from './places.ts';
import { isObject, OSM_ATTRIBUTION, readJson } from './service.ts';
import type { GeocoderSettings } from './settings.ts';

/** Where an address is. Degrees. */
export interface FoundPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** as the service writes it, or the name of a place */
  readonly address: string;
  readonly source: 'service' | 'offline';
  readonly attribution: string;
}

/** Where an address is; undefined: nobody knows it. */
export type SearchAddress = (address: string, language: Language) => Promise<FoundPlace | undefined>;

/**
 * Nominatim: `/search?q=…&format=jsonv2` answers a list with `lat`, `lon` and `display_name`. Photon: `/api?q=…` answers
 * GeoJSON. Without a service, or where it does not answer, the largest place of that name.
 */
export const createAddressSearch =
  ({ GEOCODER_URL, GEOCODER_TYPE, GEOCODER_TIMEOUT_MS }: GeocoderSettings, agent: string): SearchAddress =>
  async (address, language) => {
    const found = GEOCODER_URL === undefined ? undefined : await ask().catch(() => undefined);
    if (found !== undefined) return found;
    const place = await findPlace(address);
    return place && { ...place, address: place.name, source: 'offline', attribution: PLACES_ATTRIBUTION };

    async function ask(): Promise<FoundPlace | undefined> {
      if (GEOCODER_TYPE !== 'photon') {
        const body = await call('search', { q: address, format: 'jsonv2', limit: '1', 'accept-language': language });
        if (Array.isArray(body)) return fromNominatim(body[0]);
      }
      return GEOCODER_TYPE === 'nominatim' ? undefined : fromPhoton(await call('api', { q: address, limit: '1' }));
    }

    async function call(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
      const target = new URL(`${GEOCODER_URL!.replace(/\/+$/, '')}/${path}`);
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
      const { body } = await request(target, {
        headers: { 'user-agent': agent, accept: 'application/json' },
        signal: AbortSignal.timeout(GEOCODER_TIMEOUT_MS),
      });
      return readJson(body);
    }
  };

function toFound(latitude: number, longitude: number, address: unknown): FoundPlace | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined;
  return { latitude, longitude, address: String(address ?? ''), source: 'service', attribution: OSM_ATTRIBUTION };
}

const fromNominatim = (first: unknown): FoundPlace | undefined =>
  isObject(first) ? toFound(Number(first['lat']), Number(first['lon']), first['display_name']) : undefined;

function fromPhoton(body: unknown): FoundPlace | undefined {
  const [first] = (isObject(body) && Array.isArray(body['features']) ? body['features'] : []) as unknown[];
  if (!isObject(first) || !isObject(first['geometry'])) return undefined;
  const [longitude, latitude] = first['geometry']['coordinates'] as number[];
  const { name, street, city } = (first['properties'] ?? {}) as Readonly<Record<string, unknown>>;
  return toFound(Number(latitude), Number(longitude), [name, street, city].filter(Boolean).join(', '));
}

import { request } from 'undici';
import type { Language } from './places.ts';

/** Asks a geocoder what is at a position: its address, null if there is nothing. Rejects if it does not answer. */
export type Ask = (latitude: number, longitude: number, language: Language) => Promise<Answer | null>;

export interface Answer {
  readonly address: string;
  readonly attribution: string;
}

export const OSM_ATTRIBUTION = '© OpenStreetMap contributors';
const MAX_BYTES = 1_000_000;
const MAX_CHARACTERS = 500;

type Kind = 'nominatim' | 'photon';

/**
 * Nominatim: `/reverse?format=jsonv2&lat=…&lon=…` answers an object with `display_name`. Photon: `/reverse?lat=…&lon=…`
 * answers GeoJSON, and refuses parameters and languages that it does not know with 400: Italian is not among those that
 * it has by default, names in the language of the place are.
 */
export function askService(url: string, type: 'auto' | Kind, timeoutMs: number, agent: string): Ask {
  let kind: Kind | undefined = type === 'auto' ? undefined : type;
  return async (latitude, longitude, language) => {
    const place = { lat: latitude.toFixed(6), lon: longitude.toFixed(6) };
    const call = async (as: Kind): Promise<{ readonly status: number; readonly body: unknown }> => {
      const target = new URL(`${url.replace(/\/+$/, '')}/reverse`);
      const query: Record<string, string> =
        as === 'nominatim'
          ? { format: 'jsonv2', ...place, 'accept-language': language }
          : { ...place, ...(language === 'it' ? {} : { lang: language }) };
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
      const answer = await request(target, {
        headers: { 'user-agent': agent, accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: answer.statusCode, body: await readJson(answer.body) };
    };
    let { status, body } = await call(kind ?? 'nominatim');
    if (kind === undefined && (status === 400 || isFeatures(body))) {
      kind = 'photon';
      ({ status, body } = await call(kind));
    }
    if (status !== 200) throw new Error(`the geocoder answered ${status}`);
    kind ??= 'nominatim';
    return kind === 'photon' ? photonAnswer(body) : nominatimAnswer(body);
  };
}

export async function readJson(body: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the answer of the geocoder is too long');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isFeatures = (body: unknown): boolean => isObject(body) && body['type'] === 'FeatureCollection';
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

function nominatimAnswer(body: unknown): Answer | null {
  if (!isObject(body)) throw new Error('the answer of the geocoder is not JSON');
  const address = textOf(body['display_name']);
  // `{"error":"Unable to geocode"}`: there is nothing
  if (address === undefined) return null;
  return {
    address: address.slice(0, MAX_CHARACTERS),
    attribution: textOf(body['licence'])?.slice(0, MAX_CHARACTERS) ?? OSM_ATTRIBUTION,
  };
}

/** `Name, Street 7, 00185 Roma, Italia` of the properties of the first feature. */
function photonAnswer(body: unknown): Answer | null {
  const features = isObject(body) ? body['features'] : undefined;
  if (!Array.isArray(features)) throw new Error('the answer of the geocoder is not a list of features');
  const first: unknown = features[0];
  const properties = isObject(first) && isObject(first['properties']) ? first['properties'] : {};
  const one = (name: string): string | undefined => textOf(properties[name]);
  const join = (...parts: readonly (string | undefined)[]): string | undefined => {
    const known = parts.filter((part) => part !== undefined);
    return known.length === 0 ? undefined : known.join(' ');
  };
  const parts = [
    one('name'),
    join(one('street'), one('housenumber')),
    join(one('postcode'), one('city') ?? one('town') ?? one('village') ?? one('district') ?? one('county')),
    one('state'),
    one('country'),
  ].filter((part) => part !== undefined);
  const address = [...new Set(parts)].join(', ');
  return address === '' ? null : { address: address.slice(0, MAX_CHARACTERS), attribution: OSM_ATTRIBUTION };
}

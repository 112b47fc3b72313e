import { z } from 'zod';

const count = z.coerce.number().int().min(0);

/** Settings of share links; part of the schema in config.ts. */
export const shareSettings = {
  SHARE_LINK_DAYS: count
    .min(1)
    .max(400)
    .default(31)
    .describe('longest validity of a share link, and longest interval that it shows, days'),
  SHARE_LINKS_PER_TENANT: count.min(1).default(1_000).describe('maximum number of open share links of a tenant'),
};

// both become part of a Content-Security-Policy
const HTTP_URL = /^https?:\/\/[^/\s{};,'"]+\/\S*$/;
const RASTER_URL = /^(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})/;
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** Settings of the console's map; part of the schema in config.ts. */
export const mapSettings = {
  MAP_TILES: z
    .string()
    .regex(HTTP_URL)
    .refine((url) => !/[{}]/.test(url) || RASTER_URL.test(url), 'must contain {z}, {x} and {y}')
    .optional()
    .describe(
      'what the console draws its map from, without it countries alone: a URL of raster tiles with {z}, {x} and {y}, of a PMTiles archive (its path ends in `.pmtiles`; raster tiles, or vector tiles of the Protomaps schema), or of a MapLibre style. Browsers request them from that server',
    ),
  MAP_ORIGINS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine(
      (origins) => origins.every((each) => ORIGIN.test(each)),
      'must be origins such as https://tiles.example.org',
    )
    .default([])
    .describe(
      'further servers from which a MapLibre style requests tiles, glyphs and sprites, comma-separated: https://tiles.example.org',
    ),
  MAP_ATTRIBUTION: z.string().max(200).optional().describe('text that the license of the tiles requires on the map'),
};

export type MapType = 'raster' | 'pmtiles' | 'style';

/** What the URL of MAP_TILES leads to. */
export function mapTypeOf(url: string): MapType {
  if (RASTER_URL.test(url)) return 'raster';
  return new URL(url).pathname.endsWith('.pmtiles') ? 'pmtiles' : 'style';
}

/** Settings of addresses; part of the schema in config.ts. */
export const geocoderSettings = {
  GEOCODER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'base URL of a geocoder with the interface of Nominatim or Photon; without it the nearest place of GeoNames',
    ),
  GEOCODER_TYPE: z
    .enum(['auto', 'nominatim', 'photon'])
    .default('auto')
    .describe('interface of the geocoder; `auto`: the one that it answers'),
  GEOCODER_PER_SECOND: z.coerce
    .number()
    .min(0.01)
    .max(1_000)
    .default(1)
    .describe('maximum number of requests to the geocoder per second; public servers of Nominatim allow 1'),
  GEOCODER_TIMEOUT_MS: count.min(1).default(3_000).describe('timeout of a request to the geocoder, ms'),
  GEOCODER_WAIT_MS: count
    .default(2_000)
    .describe(
      'an answer waits at most this long for addresses; the nearest place stands for those that are not there, ms',
    ),
  GEOCODER_QUEUE: count.min(1).default(1_000).describe('maximum number of waiting requests to the geocoder'),
  GEOCODER_CACHE: count.min(1).default(50_000).describe('addresses that are kept in memory'),
};

export interface GeocoderSettings {
  readonly GEOCODER_URL?: string | undefined;
  readonly GEOCODER_TYPE: 'auto' | 'nominatim' | 'photon';
  readonly GEOCODER_PER_SECOND: number;
  readonly GEOCODER_TIMEOUT_MS: number;
  readonly GEOCODER_WAIT_MS: number;
  readonly GEOCODER_QUEUE: number;
  readonly GEOCODER_CACHE: number;
}

import { z } from 'zod';

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

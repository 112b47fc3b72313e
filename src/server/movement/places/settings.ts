import { z } from 'zod';

const count = z.coerce.number().int().min(0);

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

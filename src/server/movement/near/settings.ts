import { z } from 'zod';
import { count } from '../../../platform/setting-types.ts';

/** Settings of distances and times by road; part of the schema in config.ts. */
export const routerSettings = {
  ROUTER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('base URL of a router with the interface of OSRM or Valhalla; without it distances are straight'),
  ROUTER_TYPE: z.enum(['auto', 'osrm', 'valhalla']).default('auto').describe('interface of the router'),
  ROUTER_TIMEOUT_MS: count.min(1).default(3_000).describe('timeout of a request to the router, ms'),
};

export interface RouterSettings {
  readonly ROUTER_URL?: string | undefined;
  readonly ROUTER_TYPE: 'auto' | 'osrm' | 'valhalla';
  readonly ROUTER_TIMEOUT_MS: number;
}

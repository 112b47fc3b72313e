import { z } from 'zod';

const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'])
  .transform((v) => /^(true|1|on|yes)$/.test(v));

/** Clients that were made for Traccar (docs/traccar.md). */
export const traccarSettings = {
  COMPAT_TRACCAR: flag
    .default(false)
    .describe('serve the REST interface and the WebSocket of Traccar at `/api`, for its apps and integrations'),
};

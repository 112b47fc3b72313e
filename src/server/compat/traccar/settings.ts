import { z } from 'zod';
import { count, flag } from '../../../platform/setting-types.ts';

/** Clients that were made for Traccar (docs/traccar.md). */
export const traccarSettings = {
  COMPAT_TRACCAR: flag
    .default(false)
    .describe('serve the REST interface and the WebSocket of Traccar at `/api`, for its apps and integrations'),
  MIRROR_TO: z
    .string()
    .regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/, { error: 'a host, or host:port' })
    .optional()
    .describe(
      'host or host:port that gets the bytes of each device too; its answers are ignored. Without a port: the default port of the protocol',
    ),
  MIRROR_BUFFER_BYTES: count
    .min(1_024)
    .default(262_144)
    .describe(
      'maximum number of bytes of one device that wait for MIRROR_TO; beyond it, mirroring of the connection ends',
    ),
};

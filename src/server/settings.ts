import { z } from 'zod';
import { count, flag } from '../platform/setting-types.ts';
import { notificationSettings } from './alerts/settings.ts';
import { commandSettings } from './commands/settings.ts';
import { assistantSettings } from './compat/mcp/settings.ts';
import { traccarSettings } from './compat/traccar/settings.ts';
import { registrySettings } from './devices/registry/settings.ts';
import { counterSettings } from './fleet/counters/settings.ts';
import { driverKeySettings } from './fleet/driver-keys/settings.ts';
import { maintenanceSettings } from './fleet/maintenance/settings.ts';
import { shareSettings } from './fleet/share-links/settings.ts';
import { ingestSettings } from './ingest/settings.ts';
import { mapSettings } from './kernel/app/settings.ts';
import { singleSignOnSettings } from './kernel/auth/single-sign-on/settings.ts';
import { httpSettings, httpsSettings } from './kernel/http/settings.ts';
import { usageSettings } from './kernel/usage/settings.ts';
import { type InstallationStream, streamSettings } from './live/settings.ts';
import { distanceSettings } from './movement/api/settings.ts';
import { routerSettings } from './movement/near/settings.ts';
import { tachographSettings } from './tachograph/settings.ts';
import { retentionSettings } from './wiring/housekeeping/settings.ts';

/** Settings of the API: those of its areas, and those that belong to none. Part of the schema in config.ts. */
export const apiSettings = {
  API_KEY: z.string().min(8).optional().describe('API key of tenant `default` with every scope except `internal`'),
  INTERNAL_KEY: z.string().min(16).optional().describe('secret shared by gateways and API, 16 characters or more'),
  INTERNAL_KEY_NEXT: z
    .string()
    .min(16)
    .optional()
    .describe('key that will replace INTERNAL_KEY: an API accepts it already, so that gateways can change to it'),
  INTERNAL_KEY_PREVIOUS: z
    .string()
    .min(16)
    .optional()
    .describe('key before INTERNAL_KEY: an API accepts it until it is removed from the settings'),
  DEFAULT_TENANT: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/)
    .default('default')
    .describe('tenant of automatically registered devices'),
  APP_MINIMUM_BUILD: count.default(0).describe('oldest build of the client app that is accepted'),
  WEBHOOK_PRIVATE: flag.default(false).describe('allow callbacks and webhooks to private and loopback addresses'),
  WAKE_UP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL that is called while a command waits for an offline device, for tenants without a URL of their own'),
  ...httpSettings,
  ...httpsSettings,
  ...registrySettings,
  ...commandSettings,
  ...ingestSettings,
  ...retentionSettings,
  ...tachographSettings,
  ...distanceSettings,
  ...routerSettings,
  ...usageSettings,
  ...singleSignOnSettings,
  ...traccarSettings,
  ...assistantSettings,
  ...notificationSettings,
  ...shareSettings,
  ...driverKeySettings,
  ...counterSettings,
  ...maintenanceSettings,
  ...mapSettings,
  ...streamSettings,
};

const shape = z.object(apiSettings);

export interface ApiSettings extends Readonly<z.output<typeof shape>> {
  /** file with the authorities of device certificates */
  readonly TLS_CLIENT_CA?: string | undefined;
  readonly autoRegister: boolean;
  readonly autoRegisterPerHour: number;
  readonly metricsPublic: boolean;
  readonly METRICS_TOKEN?: string | undefined;
  /** the two placeholder operations */
  readonly diagnostics: boolean;
  /** installation-wide streams */
  readonly streams: readonly InstallationStream[];
}

import { type Config, loadConfig } from '../../src/apps/config.ts';
import type { ApiSettings } from '../../src/server/index.ts';
import { clockLimitsOf, knownLimitsOf } from '../../src/server/ingest/settings.ts';

export const API_KEY = 'test-key-of-the-default-tenant';
export const INTERNAL_KEY = 'test-internal-key-0123456789';

/** The defaults of the schema, with the few settings that tests need to be others. */
export const testSettings = (overrides: Partial<ApiSettings> = {}): Config & ApiSettings => ({
  ...loadConfig({}),
  API_KEY,
  INTERNAL_KEY,
  RATE_LIMIT: 0,
  WEBHOOK_PRIVATE: true,
  metricsPublic: true,
  diagnostics: false,
  // after a first round; then tests say when the files of devices are archived
  DDD_REMOTE_SECONDS: 86_400,
  ...overrides,
});

/** Limits of the records of devices, as an API has them by default. */
export const recordLimits = (overrides: Partial<ApiSettings> = {}) => {
  const settings = testSettings(overrides);
  return { clockLimits: clockLimitsOf(settings), knownLimits: knownLimitsOf(settings) };
};

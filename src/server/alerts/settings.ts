import { z } from 'zod';
import { readServiceAccount } from './service-account.ts';

const count = z.coerce.number().int().min(0);
const text = z.string().min(1);

/** Settings of notification channels and event streams; part of the schema in config.ts. */
export const notificationSettings = {
  VAPID_PUBLIC_KEY: text.optional().describe('VAPID public key (base64url) for web push'),
  VAPID_PRIVATE_KEY: text.optional().describe('VAPID private key for web push'),
  VAPID_SUBJECT: text
    .regex(/^(mailto:|https:\/\/)./)
    .default('mailto:fleetgate@localhost')
    .describe('contact address of the operator for push services: mailto: or https:'),
  FCM_SERVICE_ACCOUNT: text.optional().describe('Firebase service account, in the JSON format of Google'),
  FCM_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default('https://fcm.googleapis.com')
    .describe('base URL of FCM'),
  REPORT_SCHEDULES_PER_TENANT: count.default(100).describe('maximum number of scheduled reports of a tenant'),
  REPORT_ROWS: count.min(1).default(10_000).describe('maximum number of rows of a scheduled report'),
  FEED_KEPT_MINUTES: count
    .min(1)
    .default(60)
    .describe('time for which an interrupted event stream can be resumed, min'),
  RULES_LATE_WAIT_SECONDS: count
    .max(3_600)
    .default(10)
    .describe('reports that arrive out of order are judged again at most this often for a device, s'),
  RULES_LATE_DAYS: count
    .min(1)
    .max(400)
    .default(30)
    .describe('reports that are older than the newest one of the device by more are not judged by rules, days'),
  RULES_LATE_ROWS: count
    .min(2_000)
    .default(50_000)
    .describe('reports that are read at once when devices are judged again'),
  RULES_SILENCE_SECONDS: count
    .min(60)
    .default(3_600)
    .describe('an alarm about driving does not last across a longer silence of the device, s'),
  RULES_PATH_GAP_SECONDS: count
    .default(600)
    .describe('geofence rules assume a straight path between two fixes that are not further apart, s'),
  BACKTEST_DAYS: count.min(1).max(400).default(31).describe('longest interval of a backtest of a rule, days'),
  BACKTEST_POSITIONS: count.min(1).default(1_000_000).describe('maximum number of positions that a backtest evaluates'),
  BACKTESTS_AT_ONCE: count.min(1).default(2).describe('backtests that run at the same time; further ones wait'),
  MAP_LINK: z
    .string()
    .regex(/^(?:https?:\/\/.*)?$/)
    .default('https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=16/{latitude}/{longitude}')
    .describe('link to a map in notifications, with {latitude} and {longitude}; empty: no links'),
  LIVE_CLIENTS: count.min(1).default(5_000).describe('maximum number of concurrent event streams'),
};

/** Combinations of these settings that are not valid. */
export function notificationProblems(settings: {
  readonly VAPID_PUBLIC_KEY?: string | undefined;
  readonly VAPID_PRIVATE_KEY?: string | undefined;
  readonly FCM_SERVICE_ACCOUNT?: string | undefined;
}): string[] {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, FCM_SERVICE_ACCOUNT: account } = settings;
  const isAlone = (publicKey === undefined) !== (privateKey === undefined);
  const isInvalid = account !== undefined && readServiceAccount(account) === undefined;
  return [
    ...(isAlone ? ['VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: must be set together'] : []),
    ...(isInvalid
      ? ['FCM_SERVICE_ACCOUNT: must be JSON with project_id, client_email, private_key and token_uri']
      : []),
  ];
}

/** Settings of the evaluation of rules, in ms where they are times. */
export const ruleSettingsOf = (settings: {
  readonly RULES_LATE_WAIT_SECONDS: number;
  readonly RULES_LATE_DAYS: number;
  readonly RULES_LATE_ROWS: number;
  readonly RULES_SILENCE_SECONDS: number;
  readonly RULES_PATH_GAP_SECONDS: number;
}) => ({
  limits: { silenceMs: settings.RULES_SILENCE_SECONDS * 1_000, pathGapMs: settings.RULES_PATH_GAP_SECONDS * 1_000 },
  late: {
    waitMs: settings.RULES_LATE_WAIT_SECONDS * 1_000,
    days: settings.RULES_LATE_DAYS,
    mostRows: settings.RULES_LATE_ROWS,
  },
});

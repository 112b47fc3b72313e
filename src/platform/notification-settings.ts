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
  FEED_KEPT_MINUTES: count
    .min(1)
    .default(60)
    .describe('time for which an interrupted event stream can be resumed, min'),
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

import { z } from 'zod';
import { readServiceAccount } from './service-account.ts';

const count = z.coerce.number().int().min(0);
const text = z.string().min(1);

/** Settings of what brings messages to people, and of what follows the feed; a part of those in config.ts. */
export const notificationSettings = {
  VAPID_PUBLIC_KEY: text.optional().describe('public key (base64url) by which browsers know the sender of web push'),
  VAPID_PRIVATE_KEY: text.optional().describe('its private key'),
  VAPID_SUBJECT: text
    .regex(/^(mailto:|https:\/\/)./)
    .default('mailto:fleetgate@localhost')
    .describe('where push services reach the operator: mailto: or https:'),
  FCM_SERVICE_ACCOUNT: text.optional().describe('service account of a Firebase project, as Google’s JSON file has it'),
  FCM_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default('https://fcm.googleapis.com')
    .describe('where FCM answers'),
  FEED_KEPT_MINUTES: count.min(1).default(60).describe('how long an event stream can go on where it was cut off'),
  LIVE_CLIENTS: count.min(1).default(5_000).describe('event streams that are held at a time'),
};

/** What contradicts itself in them. */
export function notificationProblems(settings: {
  readonly VAPID_PUBLIC_KEY?: string | undefined;
  readonly VAPID_PRIVATE_KEY?: string | undefined;
  readonly FCM_SERVICE_ACCOUNT?: string | undefined;
}): string[] {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, FCM_SERVICE_ACCOUNT: account } = settings;
  const isAlone = (publicKey === undefined) !== (privateKey === undefined);
  const isNone = account !== undefined && readServiceAccount(account) === undefined;
  return [
    ...(isAlone ? ['VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: one is of no use without the other'] : []),
    ...(isNone ? ['FCM_SERVICE_ACCOUNT: JSON with project_id, client_email, private_key and token_uri is needed'] : []),
  ];
}

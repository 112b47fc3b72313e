import type { CompiledRule } from '../rule-index.ts';
import { idFrom } from './ids.ts';
import type { NewDelivery, NewNotification, RecipientRow } from './store.ts';

/** Channels that are configured, besides webhooks. */
export interface Channels {
  readonly email: boolean;
  readonly web_push: boolean;
  readonly fcm: boolean;
}

const DAY_S = 86_400;
/** Lifetime of a delivery by channel, s. */
const LIVE_S = { email: DAY_S, webhook: DAY_S, web_push: DAY_S / 4, fcm: DAY_S / 4 } as const;
const NOT_SET_UP = {
  email: 'e-mail is not configured (SMTP_URL)',
  web_push: 'web push is not configured (VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY)',
  fcm: 'FCM is not configured (FCM_SERVICE_ACCOUNT)',
} as const;

/**
 * The deliveries of a notification, one for each address. A channel that cannot deliver gets a skipped delivery with
 * the reason. `withWebhook`: the event is posted to the rule's URL with this one.
 */
export function deliveriesOf(
  rule: CompiledRule,
  message: NewNotification,
  recipient: RecipientRow,
  channels: Channels,
  withWebhook: boolean,
): NewDelivery[] {
  const { id: notificationId, tenantId } = message;
  const make = (
    channel: NewDelivery['channel'],
    address: string,
    payload: object,
    skipped?: string,
    pushTargetId: string | null = null,
  ): NewDelivery => ({
    id: idFrom('dlv', notificationId, channel, address),
    tenantId,
    notificationId,
    channel,
    address,
    payload,
    pushTargetId,
    liveS: LIVE_S[channel],
    ...(skipped === undefined ? {} : { skipped }),
  });
  const list: NewDelivery[] = [];
  if (rule.channels.includes('email')) {
    const { email } = recipient;
    const skipped = !channels.email ? NOT_SET_UP.email : email === null ? 'the user has no e-mail address' : undefined;
    list.push(make('email', email ?? '', { subject: message.title, text: message.body }, skipped));
  }
  if (withWebhook && rule.channels.includes('webhook') && rule.webhookUrl !== undefined) {
    list.push(make('webhook', rule.webhookUrl, { event: 'notification', notification: present(message) }));
  }
  for (const channel of ['web_push', 'fcm'] as const) {
    if (!rule.channels.includes(channel)) continue;
    const targets = recipient.targets.filter(([, kind]) => kind === channel);
    const reason = !channels[channel]
      ? NOT_SET_UP[channel]
      : targets.length === 0
        ? 'the user has registered no browser or app'
        : undefined;
    if (reason !== undefined) list.push(make(channel, '', {}, reason));
    else {
      for (const [targetId, , address, keys] of targets) {
        list.push(make(channel, address, { ...pushOf(message), keys }, undefined, targetId));
      }
    }
  }
  return list;
}

const pushOf = ({ id, title, body, type, priority, targa, occurredAt, details }: NewNotification): object => ({
  id,
  title,
  body,
  type,
  priority,
  targa,
  mapUrl: details.mapUrl,
  occurredAt: new Date(occurredAt).toISOString(),
});

/** The notification as the API returns it. */
export const present = (n: NewNotification): object => ({
  id: n.id,
  ruleId: n.ruleId,
  userId: n.userId,
  kind: n.kind,
  type: n.type,
  priority: n.priority,
  title: n.title,
  body: n.body,
  targa: n.targa,
  imei: n.imei,
  position: n.position,
  ...n.details,
  occurredAt: new Date(n.occurredAt).toISOString(),
  corrects: n.corrects,
});

import { appendDetail } from '../feed/index.ts';
import type { Queryable } from '../platform/postgres/index.ts';
import type { AlarmEvent } from '../rules/index.ts';
import { type Channels, deliveriesOf } from './notifications/deliveries.ts';
import { idFrom } from './notifications/ids.ts';
import * as store from './notifications/store.ts';
import type { Watch } from './rule-index.ts';
import { textsOf } from './texts.ts';

/** An alarm event of a watch, of which the rule's users are notified. */
export interface Detection {
  readonly watch: Watch;
  readonly event: AlarmEvent;
}

export interface Notifier {
  readonly channels: Channels;
  /** called with the number of notifications created */
  readonly onNotified?: (messages: number) => void;
}

/**
 * Creates a notification for each user, and its deliveries, in the transaction of the evaluation. Ids are derived from
 * rule, device and event, so a repeated event creates nothing.
 */
export async function notify(tx: Queryable, notifier: Notifier, detections: readonly Detection[]): Promise<number> {
  if (detections.length === 0) return 0;
  const recipients = await store.readRecipients(
    tx,
    detections.map(({ watch }) => ({ ruleId: watch.rule.id, vehicleId: watch.vehicleId })),
  );
  const made = recipients.map((recipient) => {
    const detection = detections[recipient.n - 1]!;
    return { recipient, detection, message: messageOf(detection, recipient) };
  });
  const messages = [...new Map(made.map(({ message }) => [message.id, message])).values()];
  const fresh = await store.insertNotifications(tx, messages);
  await store.insertDeliveries(
    tx,
    made
      .filter(({ message }) => fresh.has(message.id))
      .flatMap(({ detection, message, recipient }) =>
        deliveriesOf(detection.watch.rule, message, recipient, notifier.channels),
      ),
  );
  if (fresh.size > 0) await appendDetail(tx, 'notifications', [...fresh]);
  notifier.onNotified?.(fresh.size);
  return fresh.size;
}

/** Title and body of a message about an event. */
export function textsAbout({ watch, event }: Detection): { readonly title: string; readonly body: string } {
  const { type, description, timezone } = watch.rule;
  return textsOf({ type, description, timezone, vehicle: nameOf(watch), event });
}

/** One line about a command that has ended. */
export const detailOfCommand = ({ text, answer }: { text: string; answer: string | null }, state: string): string =>
  `${text.slice(0, 100)}: ${state}${answer === null ? '' : ` (${answer.slice(0, 200)})`}`;

export const nameOf = ({ targa, imei }: Watch): string => targa ?? imei ?? '';

function messageOf(detection: Detection, { tenantId, userId }: store.RecipientRow): store.NewNotification {
  const { watch, event } = detection;
  const { rule, deviceId, imei, vehicleId, targa } = watch;
  const { type, priority } = rule;
  const { at, spot, corrects } = event;
  const named = (key: string): string => idFrom('ntf', rule.id, rule.version, deviceId, key, userId);
  return {
    id: named(event.key),
    tenantId,
    userId,
    ruleId: rule.id,
    kind: event.kind === 'alarm' && corrects !== undefined ? 'moved' : event.kind,
    type,
    priority,
    ...textsAbout(detection),
    targa,
    imei,
    vehicleId,
    deviceId: deviceId === 0 ? null : deviceId,
    position: spot === undefined ? null : { ...spot, fixTime: new Date(at).toISOString() },
    occurredAt: at,
    corrects: corrects === undefined ? null : named(corrects),
  };
}

import type { Queryable } from '../../database/index.ts';
import { appendDetail } from '../../ingest/feed/index.ts';
import type { AlarmEvent, Spot } from '../rules/index.ts';
import { type Channels, deliveriesOf } from './notifications/deliveries.ts';
import { idFrom } from './notifications/ids.ts';
import * as store from './notifications/store.ts';
import type { Watch } from './rule-index.ts';
import { textsOf, unitOf } from './texts.ts';

/** An alarm event of a watch, of which the rule's users are notified. */
export interface Detection {
  readonly watch: Watch;
  readonly event: AlarmEvent;
}

export interface Notifier {
  readonly channels: Channels;
  /** template of links to a map, with `{latitude}` and `{longitude}`; undefined: no links */
  readonly mapLink?: string | undefined;
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
    detections.map(({ watch, event }) => ({ ruleId: watch.rule.id, vehicleId: watch.vehicleId, at: event.at })),
  );
  const made = recipients.map((recipient) => {
    const detection = detections[recipient.n - 1]!;
    return { recipient, detection, message: messageOf(detection, recipient, notifier.mapLink) };
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

/** Who a message is for, and what it needs besides the event. */
export interface MessageContext {
  /** BCP 47 */
  readonly locale: string;
  readonly driver: store.RecipientRow['driver'];
  readonly mapLink: string | undefined;
}

/** Title, body and members of a message about an event. */
export function contentOf(
  { watch, event }: Detection,
  { locale, driver, mapLink }: MessageContext,
): { readonly title: string; readonly body: string; readonly details: store.NotificationDetails } {
  const { type, description, timezone, geofences } = watch.rule;
  const unit = event.value === undefined ? null : (event.unit ?? unitOf(type));
  const details: store.NotificationDetails = {
    geofence: event.area === undefined ? null : (geofences[event.area] ?? null),
    value: unit === null ? null : Math.round(event.value! * 10) / 10,
    unit,
    driver,
    mapUrl: mapUrlOf(mapLink, event.spot),
    detail: event.detail ?? null,
    locale,
  };
  return { ...textsOf({ type, description, timezone, vehicle: nameOf(watch), event, details }), details };
}

/** One line about a command that has ended. */
export const detailOfCommand = ({ text, answer }: { text: string; answer: string | null }, state: string): string =>
  `${text.slice(0, 100)}: ${state}${answer === null ? '' : ` (${answer.slice(0, 200)})`}`;

export const nameOf = ({ targa, imei }: Watch): string => targa ?? imei ?? '';

function messageOf(
  detection: Detection,
  { tenantId, userId, locale, driver }: store.RecipientRow,
  mapLink: string | undefined,
): store.NewNotification {
  const { watch, event } = detection;
  const { rule, deviceId, imei, vehicleId, targa } = watch;
  const { type, priority } = rule;
  const { at, spot, corrects } = event;
  const named = (key: string): string => idFrom('ntf', rule.id, rule.version, deviceId, key, userId);
  return {
    id: named(event.key),
    tenantId,
    userId,
    ruleId: rule.name,
    kind: event.kind === 'alarm' && corrects !== undefined ? 'moved' : event.kind,
    type,
    priority,
    ...contentOf(detection, { locale, driver, mapLink }),
    targa,
    imei,
    vehicleId,
    deviceId: deviceId === 0 ? null : deviceId,
    position: spot === undefined ? null : { ...spot, fixTime: new Date(at).toISOString() },
    occurredAt: at,
    corrects: corrects === undefined ? null : named(corrects),
  };
}

function mapUrlOf(template: string | undefined, spot: Spot | undefined): string | null {
  const { latitude, longitude } = spot ?? {};
  if (template === undefined || latitude === undefined || longitude === undefined) return null;
  return template.replaceAll('{latitude}', latitude.toFixed(5)).replaceAll('{longitude}', longitude.toFixed(5));
}

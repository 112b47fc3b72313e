import type { Queryable } from '../../database/index.ts';
import { appendDetail } from '../../ingest/feed/index.ts';
import { describePlace, nearestPlace } from '../../movement/places/index.ts';
import type { AlarmEvent, Spot } from '../rules/index.ts';
import { type Channels, deliveriesOf } from './notifications/deliveries.ts';
import { idFrom } from './notifications/ids.ts';
import * as store from './notifications/store.ts';
import type { Watch } from './rule-index.ts';
import { languageOf, textsOf, unitOf } from './texts.ts';

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
  const places = await placesOf(detections);
  const made = recipients.map((recipient) => {
    const detection = detections[recipient.n - 1]!;
    const place = places[recipient.n - 1];
    return { recipient, detection, message: messageOf(detection, recipient, { place, mapLink: notifier.mapLink }) };
  });
  const messages = [...new Map(made.map(({ message }) => [message.id, message])).values()];
  const fresh = await store.insertNotifications(tx, messages);
  const posted = new Set<number>();
  await store.insertDeliveries(
    tx,
    made
      .filter(({ message }) => fresh.has(message.id))
      .flatMap(({ detection, message, recipient }) => {
        // the URL is the rule's own: one request, however many users are notified
        const isFirst = !posted.has(recipient.n);
        posted.add(recipient.n);
        return deliveriesOf(detection.watch.rule, message, recipient, notifier.channels, isFirst);
      }),
  );
  if (fresh.size > 0) await appendDetail(tx, 'notifications', [...fresh]);
  notifier.onNotified?.(fresh.size);
  return fresh.size;
}

/** Who a message is for, and what it needs besides the event. */
export interface MessageContext {
  /** BCP 47 */
  readonly locale: string;
  /** of the reader; null: that of the rule */
  readonly timezone: string | null;
  readonly driver: store.RecipientRow['driver'];
  /** near where it began */
  readonly place: NearestPlace;
  readonly mapLink: string | undefined;
}

type NearestPlace = Awaited<ReturnType<typeof nearestPlace>>;

/** The nearest place of each event, in their order. */
export const placesOf = (detections: readonly Pick<Detection, 'event'>[]): Promise<NearestPlace[]> =>
  Promise.all(
    detections.map(async ({ event: { spot } }) =>
      spot?.latitude === undefined || spot.longitude === undefined
        ? undefined
        : nearestPlace(spot.latitude, spot.longitude),
    ),
  );

/** Title, body and members of a message about an event. */
export function contentOf(
  { watch, event }: Detection,
  { locale, timezone: own, driver, place, mapLink }: MessageContext,
): { readonly title: string; readonly body: string; readonly details: store.NotificationDetails } {
  const { type, description, geofences } = watch.rule;
  const timezone = own ?? watch.rule.timezone;
  const unit = event.value === undefined ? null : (event.unit ?? unitOf(type));
  const details: store.NotificationDetails = {
    geofence: event.area === undefined ? null : (geofences[event.area] ?? null),
    value: unit === null ? null : Math.round(event.value! * 10) / 10,
    unit,
    driver,
    place: place === undefined ? null : describePlace(place, languageOf(locale)),
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
  { tenantId, userId, locale, timezone, driver }: store.RecipientRow,
  { place, mapLink }: Pick<MessageContext, 'place' | 'mapLink'>,
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
    ...contentOf(detection, { locale, timezone, driver, place, mapLink }),
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

import { appendDetail } from '../feed/index.ts';
import type { Queryable } from '../platform/postgres/index.ts';
import type { Occurrence } from '../rules/index.ts';
import type { Watch } from './book.ts';
import { type Channels, deliveriesOf } from './telling/deliveries.ts';
import { idFrom } from './telling/ids.ts';
import * as store from './telling/store.ts';
import { textsOf } from './texts.ts';

/** Something that a rule's users are to be told of a vehicle. */
export interface Happening {
  readonly watch: Watch;
  readonly occurrence: Occurrence;
}

export interface Teller {
  readonly channels: Channels;
  /** told how many messages were made */
  readonly onTold?: (messages: number) => void;
}

/**
 * Makes a message for each user, and what is to be delivered of it, in the transaction of the evaluation. Ids follow
 * from rule, device and occurrence: what is told twice is there once.
 */
export async function tell(tx: Queryable, teller: Teller, happenings: readonly Happening[]): Promise<number> {
  if (happenings.length === 0) return 0;
  const recipients = await store.readRecipients(
    tx,
    happenings.map(({ watch }) => ({ ruleId: watch.rule.id, vehicleId: watch.vehicleId })),
  );
  const made = recipients.map((recipient) => {
    const happening = happenings[recipient.n - 1]!;
    return { recipient, happening, message: messageOf(happening, recipient) };
  });
  const messages = [...new Map(made.map(({ message }) => [message.id, message])).values()];
  const fresh = await store.insertNotifications(tx, messages);
  await store.insertDeliveries(
    tx,
    made
      .filter(({ message }) => fresh.has(message.id))
      .flatMap(({ happening, message, recipient }) =>
        deliveriesOf(happening.watch.rule, message, recipient, teller.channels),
      ),
  );
  if (fresh.size > 0) await appendDetail(tx, 'notifications', [...fresh]);
  teller.onTold?.(fresh.size);
  return fresh.size;
}

function messageOf({ watch, occurrence }: Happening, { tenantId, userId }: store.RecipientRow): store.NewNotification {
  const { rule, deviceId, imei, vehicleId, targa } = watch;
  const { type, priority, timezone, description } = rule;
  const { at, spot, corrects } = occurrence;
  const named = (key: string): string => idFrom('ntf', rule.id, rule.version, deviceId, key, userId);
  const texts = textsOf({ type, description, timezone, vehicle: targa ?? imei ?? '', occurrence });
  return {
    id: named(occurrence.key),
    ...{ tenantId, userId, ruleId: rule.id, type, priority, ...texts, targa, imei, vehicleId },
    deviceId: deviceId === 0 ? null : deviceId,
    position: spot === undefined ? null : { ...spot, fixTime: new Date(at).toISOString() },
    occurredAt: at,
    corrects: corrects === undefined ? null : named(corrects),
  };
}

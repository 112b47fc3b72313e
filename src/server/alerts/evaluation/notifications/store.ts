import { int8Array, jsonArray, type Queryable, textArray, timestampArray } from '../../../database/index.ts';

export interface RecipientRow {
  /** of the pairs asked for */
  readonly n: number;
  readonly tenantId: number;
  readonly userId: string;
  readonly email: string | null;
  /** BCP 47 */
  readonly locale: string;
  /** null: that of the rule */
  readonly timezone: string | null;
  /** who drove the vehicle at the time */
  readonly driver: { readonly id: string; readonly name: string } | null;
  /** browsers and apps, as `[id, channel, address, keys]` */
  readonly targets: readonly (readonly [string | null, 'web_push' | 'fcm', string, unknown])[];
}

/** Recipients of a rule about a vehicle: its active users who may see the vehicle. Without a vehicle: those who see all. */
export async function readRecipients(
  db: Queryable,
  pairs: readonly { readonly ruleId: string; readonly vehicleId: string | null; readonly at: number }[],
): Promise<RecipientRow[]> {
  const { rows } = await db.query<RecipientRow>({
    name: 'notification-recipients',
    text: `
      select k.n::int, u.tenant_id as "tenantId", u.id as "userId", u.email, u.locale, u.timezone,
             (select json_build_object('id', d.id, 'name', d.name)
              from pairing p join driver d on d.id = p.driver_id
              where p.vehicle_id = k.vehicle_id and p.driver_id is not null and p.valid_from <= k.at
                and (p.valid_to is null or p.valid_to > k.at)
              order by p.valid_from desc limit 1) as driver,
             coalesce((select jsonb_agg(jsonb_build_array(t.id, t.channel, t.address, t.keys) order by t.id)
                       from push_target t where t.user_id = u.id), '[]')
             || coalesce((select jsonb_agg(distinct jsonb_build_array(null, 'fcm', s.device->>'pushToken', null))
                          from auth_session s where s.user_id = u.id and s.revoked_at is null and s.expires_at > now()
                            and s.device->>'pushToken' is not null
                            and not exists (select from push_target t where t.tenant_id = s.tenant_id
                                            and t.channel = 'fcm' and t.address = s.device->>'pushToken')), '[]')
             as targets
      from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality as k(rule_id, vehicle_id, at, n)
      join notification_rule_user ru on ru.rule_id = k.rule_id
      join app_user u on u.id = ru.user_id and is_user_active(u.tenant_id, u.id)
      where u.all_vehicles or exists (
        select from user_vehicle uv where uv.user_id = u.id and uv.vehicle_id = k.vehicle_id)
      order by k.n, u.id`,
    values: [
      textArray(pairs.map(({ ruleId }) => ruleId)),
      textArray(pairs.map(({ vehicleId }) => vehicleId)),
      timestampArray(pairs.map(({ at }) => at)),
    ],
  });
  return rows;
}

/** What the text of a notification says, for programs. */
export interface NotificationDetails {
  readonly geofence: { readonly id: string; readonly name: string } | null;
  readonly value: number | null;
  readonly unit: string | null;
  readonly driver: { readonly id: string; readonly name: string } | null;
  /** the nearest place of the built-in list */
  readonly place: string | null;
  /** a map with the position */
  readonly mapUrl: string | null;
  readonly detail: string | null;
  readonly locale: string;
}

export interface NewNotification {
  readonly id: string;
  readonly tenantId: number;
  readonly userId: string;
  readonly ruleId: string;
  readonly kind: 'alarm' | 'moved' | 'withdrawn';
  readonly type: string;
  readonly priority: string;
  readonly title: string;
  readonly body: string;
  readonly targa: string | null;
  readonly imei: string | null;
  /** null: no vehicle, or a vehicle without a device */
  readonly deviceId: number | null;
  readonly vehicleId: string | null;
  readonly position: object | null;
  readonly details: NotificationDetails;
  /** epoch ms */
  readonly occurredAt: number;
  readonly corrects: string | null;
}

/** Returns the ids that were new. A correction whose original was deleted is kept on its own. */
export async function insertNotifications(db: Queryable, list: readonly NewNotification[]): Promise<Set<string>> {
  if (list.length === 0) return new Set();
  const texts = (pick: (each: NewNotification) => string | null): Buffer => textArray(list.map(pick));
  const { rows } = await db.query<{ id: string }>({
    name: 'notification-insert',
    text: `
      insert into notification (id, tenant_id, user_id, rule_id, type, priority, title, body, targa, imei, device_id,
                                vehicle_id, position, occurred_at, corrects, kind, details)
      select n.* from unnest($1::text[], $2::int4[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                             $8::text[], $9::text[], $10::text[], $11::int8[], $12::text[], $13::json[],
                             $14::timestamptz[], $15::text[], $16::text[], $17::json[]) as n
      on conflict (id) do nothing returning id`,
    values: [
      texts((n) => n.id),
      list.map((n) => n.tenantId),
      texts((n) => n.userId),
      texts((n) => n.ruleId),
      texts((n) => n.type),
      texts((n) => n.priority),
      texts((n) => n.title),
      texts((n) => n.body),
      texts((n) => n.targa),
      texts((n) => n.imei),
      int8Array(list.map((n) => n.deviceId)),
      texts((n) => n.vehicleId),
      jsonArray(list.map((n) => (n.position === null ? null : JSON.stringify(n.position)))),
      timestampArray(list.map((n) => n.occurredAt)),
      texts((n) => n.corrects),
      texts((n) => n.kind),
      jsonArray(list.map((n) => JSON.stringify(n.details))),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

export interface NewDelivery {
  readonly id: string;
  readonly tenantId: number;
  readonly notificationId: string | null;
  readonly webhookId?: string;
  readonly pushTargetId?: string | null;
  readonly channel: 'email' | 'webhook' | 'web_push' | 'fcm';
  readonly address: string;
  readonly payload: object;
  /** why there is nothing to deliver; absent: it is to be delivered */
  readonly skipped?: string;
  /** s after which delivery is given up */
  readonly liveS: number;
}

export async function insertDeliveries(db: Queryable, list: readonly NewDelivery[]): Promise<void> {
  if (list.length === 0) return;
  await db.query({
    name: 'notification-deliveries',
    text: `
      insert into delivery (id, tenant_id, notification_id, webhook_id, push_target_id, channel, address, payload,
                            state, detail, give_up_at, ended_at)
      select d.id, d.tenant, d.notification, d.webhook, d.target, d.channel, d.address, d.payload,
             case when d.skipped is null then 'pending' else 'skipped' end, d.skipped,
             now() + d.live * interval '1 second', case when d.skipped is null then null else now() end
      from unnest($1::text[], $2::int4[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::json[],
                  $9::text[], $10::int4[])
        as d(id, tenant, notification, webhook, target, channel, address, payload, skipped, live)
      on conflict (id) do nothing`,
    values: [
      textArray(list.map((d) => d.id)),
      list.map((d) => d.tenantId),
      textArray(list.map((d) => d.notificationId)),
      textArray(list.map((d) => d.webhookId)),
      textArray(list.map((d) => d.pushTargetId)),
      textArray(list.map((d) => d.channel)),
      textArray(list.map((d) => d.address)),
      jsonArray(list.map((d) => JSON.stringify(d.payload))),
      textArray(list.map((d) => d.skipped)),
      list.map((d) => d.liveS),
    ],
  });
}

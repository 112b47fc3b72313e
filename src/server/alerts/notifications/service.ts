import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Principal } from '../../kernel/access/index.ts';
import { type Cursors, MIN_INSTANT_MS, toInstant, toInstantOrNull, tooOld, toPage } from '../../kernel/http/index.ts';
import { zoneOf } from '../rules/index.ts';
import type { ShownNotification } from './schema.ts';
import * as store from './store.ts';

export interface ListQuery extends Omit<store.NotificationQuery, 'after' | 'limit'> {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ListPage {
  readonly rows: readonly store.NotificationRow[];
  readonly items: ShownNotification[];
  readonly nextCursor: string | null;
}

/** Messages that users were sent. */
export interface Notifications {
  /** Newest first. Throws AppError `bad-cursor`. */
  list(tenantId: number, query: ListQuery): Promise<ListPage>;
  count(tenantId: number, userId: string, within?: { from: number; to: number }): Promise<store.Counts>;
  markRead(tenantId: number, userId: string, ids: readonly string[]): Promise<void>;
  /** Throws AppError `unknown-notification`. */
  acknowledge(tenantId: number, userId: string, id: string): Promise<store.NotificationRow>;
  resetBadge(tenantId: number, userId: string): Promise<{ previous: number; resetAt: string }>;
  /** Ids of those that were there. */
  remove(by: Principal, tenantId: number, ids: readonly string[]): Promise<string[]>;
}

export function createNotifications(app: pg.Pool, cursors: Cursors): Notifications {
  const list = async (tenantId: number, { limit, cursor, ...query }: ListQuery): Promise<ListPage> => {
    const filter = ['notifications', tenantId, query];
    const [at, id] = cursor === undefined ? [] : cursors.read(cursor, filter);
    const after = at === undefined ? undefined : { at: Number(at), id: String(id) };
    const rows = await store.readNotifications(app, tenantId, { ...query, after, limit: limit + 1 });
    const page = toPage(rows, limit, present, (row) => cursors.write([row.occurredAt, row.id], filter));
    return { rows: rows.slice(0, limit), ...page };
  };
  return {
    list,
    count: (tenantId, userId, within) => store.countNotifications(app, tenantId, userId, within),
    async markRead(tenantId, userId, ids) {
      if (ids.length > 0) await store.markRead(app, tenantId, userId, ids);
    },
    async acknowledge(tenantId, userId, id) {
      await store.markRead(app, tenantId, userId, [id], true);
      const [row] = await store.readNotifications(app, tenantId, { userId, ids: [id], limit: 1 });
      if (row === undefined) throw new AppError('unknown-notification');
      return row;
    },
    async resetBadge(tenantId, userId) {
      const { badge } = await store.countNotifications(app, tenantId, userId);
      return { previous: badge, resetAt: toInstant(await store.resetBadge(app, tenantId, userId)) };
    },
    remove: (by, tenantId, ids) =>
      ids.length === 0
        ? Promise.resolve([])
        : store.deleteNotifications(app, tenantId, ids, by.kind === 'user' ? by.id : undefined),
  };
}

/** What the text says, for programs; nulls where it does not. */
export function detailsOf({ details }: store.NotificationRow): store.Details {
  const { geofence = null, value = null, unit = null, driver = null } = details ?? {};
  const { place = null, mapUrl = null, detail = null } = details ?? {};
  return { geofence, value, unit, driver, place, mapUrl, detail };
}

export function present(row: store.NotificationRow): ShownNotification {
  const { id, ruleId, userId, kind, type, priority, title, body, targa, imei, position, corrects } = row;
  return {
    id,
    ruleId,
    userId,
    kind,
    type,
    priority,
    title,
    body,
    targa,
    imei,
    position,
    ...detailsOf(row),
    corrects,
    occurredAt: toInstant(row.occurredAt),
    createdAt: toInstant(row.createdAt),
    readAt: toInstantOrNull(row.readAt),
    delivery: [
      { channel: 'app', state: 'delivered', at: toInstant(row.createdAt), attempts: 1, reason: null },
      ...row.delivery.map((one) => ({ ...one, at: toInstant(one.at) })),
    ],
  };
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** what RFC 3339 can write */
const LATEST = Date.UTC(9999, 11, 31);

/** Days since 1970 of `YYYY-MM-DD`; undefined for what is no date. */
export function daysOf(text: string): number | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return at >= 0 && new Date(at).toISOString().startsWith(text) ? at / DAY_MS : undefined;
}

/** A day by the calendar of a zone, of a date or of an instant within it. Throws AppError `bad-date`. */
export function dayWithin(text: string, timezone: string): { date: string; from: number; to: number } {
  const zone = zoneOf(timezone);
  const days = /^\d{1,15}$/.test(text) && Number(text) < LATEST ? zone.dayOf(Number(text)) : daysOf(text);
  if (days === undefined) throw new AppError('bad-date', 'A date is YYYY-MM-DD, or Unix milliseconds within the day');
  if (days * DAY_MS < MIN_INSTANT_MS) throw new AppError('bad-date', tooOld(text));
  const date = new Date(days * DAY_MS).toISOString().slice(0, 10);
  return { date, from: zone.startOfDay(days), to: zone.startOfDay(days + 1) };
}

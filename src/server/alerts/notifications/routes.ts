import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  expectedVersion,
  instantProblem,
  member,
  page,
  parseInstant,
  principalOf,
  sendTagged,
  tenantOf,
  text,
  toInstant,
} from '../../kernel/http/index.ts';
import { recordName } from '../../kernel/records/index.ts';
import { type AddressesOf, type Language, language } from '../../movement/places/index.ts';
import { PRIORITIES, zoneOf } from '../rules/index.ts';
import { addRemovalRoutes } from './removal-routes.ts';
import type { Rules } from './rules/service.ts';
import { created, listedRule, notification, type ShownNotification, savedRule, zone } from './schema.ts';
import { daysOf, dayWithin, type Notifications } from './service.ts';

export interface Recipient {
  readonly id: string;
  readonly timezone: string;
}

export interface NotificationRouteDeps {
  readonly rules: Rules;
  readonly notifications: Notifications;
  readonly addressesOf: AddressesOf | undefined;
  readonly clock: Clock;
  /**
   * A user by id, name or `me`; the caller must be this user or be allowed to see others. Throws AppError
   * `unknown-user`,
   * `missing-scope`.
   */
  readonly recipient: (
    request: FastifyRequest,
    name: string,
    others: 'users:read' | 'users:write',
  ) => Promise<Recipient>;
}

const tags = ['notifications'];
const read = { access: ['notifications:read'] } as const;
const write = { access: ['notifications:write'] } as const;
const RULE_ERRORS = [
  ...(['version-unsupported', 'unknown-timezone', 'rule-owned-by-system', 'unknown-notification'] as const),
  ...(['precondition-failed', 'private-address', 'polygon-not-closed', 'polygon-self-intersects'] as const),
];
const version = text(20, 1, 'v1').describe('v1 or 1');
const withAddress = {
  include: z.literal('address').optional().describe('positions have an address'),
  lang: language,
};
const list = { type: text(50).optional(), ...withAddress, ...page };

export function addNotificationRoutes(app: App, deps: NotificationRouteDeps): void {
  addRuleRoute(app, deps);
  addHistory(app, deps);
  addDay(app, deps);
  addUsersList(app, deps);
  addBadge(app, deps);
  addRemovalRoutes(app, deps);
}

function demandVersion(given: string): void {
  if (!/^v?0*1$/.test(given)) throw new AppError('version-unsupported', `There is v1, not ${given}`);
}

function addRuleRoute(app: App, { rules }: NotificationRouteDeps): void {
  app.put(
    '/v1/:version/notifications',
    {
      config: {
        isTagged: true,
        ...write,
        isRepeatable: true,
        refersTo: ['unknown-vehicle', 'unknown-user', 'unknown-group', 'unknown-geofence'],
        errors: RULE_ERRORS,
      },
      schema: {
        tags,
        summary: 'Create a notification rule, or change the one of this id',
        description:
          'Sent again as it was it changes nothing. `unauthorized_use` fires on movement outside of `auth_hours`, the ' +
          'others inside of them, or always where there are none. If-Match: only in this version.',
        params: z.object({ version }),
        body: z.object({ notification_data: savedRule }).meta({
          example: {
            notification_data: {
              id: 'nrl_night',
              type: 'unauthorized_use',
              auth_hours: { monday: { min: 8, max: 18.5 }, tuesday: { min: 8, max: 18.5 } },
              description: 'Use at night',
              priority: 'high',
              timezone: 'Europe/Rome',
              users: ['carla'],
              vehicles: ['AB123CD'],
              params: { minSpeedKmh: 5 },
              channels: ['app'],
            },
          },
        }),
        response: { 200: created },
      },
    },
    async (request, reply) => {
      demandVersion(request.params.version);
      const by = principalOf(request);
      const { changeable: _, ...data } = request.body.notification_data;
      const saved = await rules.save(by, tenantOf(request), data, expectedVersion(request));
      const { rule } = saved;
      noteChange(request, { object: rule.id, after: rule });
      return sendTagged(request, reply, saved.version, {
        message: saved.created ? 'Notification created' : 'Notification saved',
        notificationId: rule.id,
        created: saved.created,
        notification_data: rule,
      });
    },
  );
}

const ntfPage = { items: z.array(notification), nextCursor: member.nextCursor };

function addHistory(app: App, deps: NotificationRouteDeps): void {
  const { notifications, recipient, clock } = deps;
  app.get(
    '/v1/notifications/history/:user_id/:from',
    {
      config: { ...read, errors: ['unknown-user', 'bad-from', 'from-after-to'] },
      schema: {
        tags,
        summary: 'History of a user’s notifications (under development)',
        params: z.object({
          user_id: recordName.meta({ example: 'carla' }),
          from: text(40, 1, '2026-05-01T08:00:00Z').describe(
            'Unix milliseconds, RFC 3339 or a date, a day of the user’s time zone',
          ),
        }),
        querystring: z.object({
          to: text(40, 1).optional().describe('Unix milliseconds, RFC 3339 or a date, a day of the user’s time zone'),
          priority: z.enum(PRIORITIES).optional(),
          ...list,
        }),
        response: {
          200: z.object({
            userId: member.userId,
            from: z.string(),
            to: z.string(),
            ...ntfPage,
            stability: z.literal('under-development'),
          }),
        },
      },
    },
    async (request, reply) => {
      const user = await recipient(request, request.params.user_id, 'users:read');
      const { priority, type, limit, cursor } = request.query;
      const from = edgeIn(user.timezone, request.params.from, 'from');
      const to = request.query.to === undefined ? clock.now() : edgeIn(user.timezone, request.query.to, 'to');
      if (from > to) throw new AppError('from-after-to');
      const priorities = priority === undefined ? undefined : [priority];
      // without `to` the list has no end: a cursor must not depend on the time of the request
      const end = request.query.to === undefined ? undefined : to + 1;
      const query = { userId: user.id, from, to: end, type, priorities, limit, cursor };
      const { items: found, nextCursor } = await notifications.list(tenantOf(request), query);
      const items = await located(deps, request.query, found);
      reply.header('x-stability', 'experimental');
      const stability = 'under-development' as const;
      return { userId: user.id, from: toInstant(from), to: toInstant(to), items, nextCursor, stability };
    },
  );
}

/** Adds the addresses of positions where they are asked for. */
async function located(
  { addressesOf }: NotificationRouteDeps,
  { include, lang }: { readonly include?: 'address' | undefined; readonly lang: Language },
  items: ShownNotification[],
): Promise<ShownNotification[]> {
  if (addressesOf === undefined || include === undefined) return items;
  const places = items.flatMap(({ position }, n) => {
    const { latitude, longitude } = position ?? {};
    return latitude === undefined || longitude === undefined ? [] : [{ n, latitude, longitude }];
  });
  const found = await addressesOf(places, lang);
  const shown = [...items];
  for (const [i, { n }] of places.entries()) {
    shown[n] = { ...items[n]!, position: { ...items[n]!.position, address: found[i]!.address } };
  }
  return shown;
}

/** A date begins and ends when it does in the user's zone. Throws AppError `bad-from`, `invalid`. */
function edgeIn(timezone: string, given: string, edge: 'from' | 'to'): number {
  const problem = instantProblem(given, edge);
  if (problem !== undefined && edge === 'from') throw new AppError('bad-from', `/from: ${problem}`);
  if (problem !== undefined) {
    throw new AppError('invalid', 'The request is not valid', [{ pointer: `/${edge}`, detail: problem }]);
  }
  const days = daysOf(given);
  if (days === undefined) return parseInstant(given, edge)!;
  const { startOfDay } = zoneOf(timezone);
  return edge === 'from' ? startOfDay(days) : startOfDay(days + 1) - 1;
}

function addDay(app: App, deps: NotificationRouteDeps): void {
  const { notifications, recipient } = deps;
  app.get(
    '/v1/notifications/:user_id/:data',
    {
      config: { ...read, errors: ['unknown-user', 'bad-date', 'unknown-timezone'] },
      schema: {
        tags,
        summary: 'A user’s notifications of a day',
        params: z.object({
          user_id: recordName.meta({ example: 'carla' }),
          data: text(40, 1, '2026-05-01').describe('YYYY-MM-DD, or Unix milliseconds'),
        }),
        querystring: z.object({ tz: zone.optional(), ...withAddress, ...page }),
        response: {
          200: z.object({
            userId: member.userId,
            date: z.string(),
            timezone: member.timezone,
            ...ntfPage,
            unread: z.number().int().describe('of this day'),
          }),
        },
      },
    },
    async (request) => {
      const tenantId = tenantOf(request);
      const user = await recipient(request, request.params.user_id, 'users:read');
      const { tz: timezone = user.timezone, limit, cursor } = request.query;
      const { date, from, to } = dayWithin(request.params.data, timezone);
      const query = { userId: user.id, from, to, limit, cursor };
      const { items: found, nextCursor } = await notifications.list(tenantId, query);
      const items = await located(deps, request.query, found);
      const { unread } = await notifications.count(tenantId, user.id, { from, to });
      return { userId: user.id, date, timezone, items, nextCursor, unread };
    },
  );
}

const flag = z.enum(['true', 'false']).transform((word) => word === 'true');

function addUsersList(app: App, deps: NotificationRouteDeps): void {
  const { notifications, rules, recipient } = deps;
  app.get(
    '/v1/notifications/:id',
    {
      config: { isTagged: true, ...read, errors: ['unknown-user'] },
      schema: {
        tags,
        summary: 'A user’s notifications and rules',
        description: '`markRead`: those that are listed count as read from then on.',
        params: z.object({ id: recordName.meta({ example: 'carla' }).describe('id or name of a user, or `me`') }),
        querystring: z.object({ unread: flag.optional(), markRead: flag.default(false), ...list }),
        response: {
          200: z.object({
            userId: member.userId,
            badge: z.number().int(),
            unread: z.number().int(),
            ...ntfPage,
            rules: z.array(listedRule),
          }),
        },
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const { markRead, unread: isUnread, type, limit, cursor } = request.query;
      const user = await recipient(request, request.params.id, markRead ? 'users:write' : 'users:read');
      const query = { userId: user.id, unread: isUnread, type, limit, cursor };
      const { items: found, nextCursor } = await notifications.list(tenantId, query);
      const items = await located(deps, request.query, found);
      const { badge, unread } = await notifications.count(tenantId, user.id);
      const own = await rules.ofUser(principalOf(request), tenantId, user.id);
      if (markRead) {
        const ids = items.map(({ id }) => id);
        await notifications.markRead(tenantId, user.id, ids);
      }
      return sendTagged(request, reply, 0, { userId: user.id, badge, unread, items, rules: own, nextCursor });
    },
  );
}

function addBadge(app: App, { notifications, recipient }: NotificationRouteDeps): void {
  app.post(
    '/v1/:version/notifications/badge/:user_id',
    {
      config: { ...write, errors: ['unknown-user', 'version-unsupported'] },
      schema: {
        tags,
        summary: 'Reset a user’s badge',
        description: 'The badge counts new messages from now on; unread messages remain unread.',
        params: z.object({ version, user_id: recordName.meta({ example: 'carla' }) }),
        response: {
          200: z.object({
            userId: member.userId,
            badge: z.literal(0),
            previous: z.number().int(),
            resetAt: z.string(),
          }),
        },
      },
    },
    async (request) => {
      demandVersion(request.params.version);
      const user = await recipient(request, request.params.user_id, 'users:write');
      return { userId: user.id, badge: 0 as const, ...(await notifications.resetBadge(tenantOf(request), user.id)) };
    },
  );
}

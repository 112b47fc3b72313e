import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Database } from '../../database/index.ts';
import { type App, type Cursors, principalOf, tenantOf } from '../../kernel/http/index.ts';
import type { Outbound } from '../../kernel/outbound/index.ts';
import type { AddressesOf } from '../../movement/places/index.ts';
import { addAlertRoutes } from './app-routes.ts';
import { addBacktestRoute, type Backtest } from './backtest-routes.ts';
import { addPushRoutes } from './push/routes.ts';
import { findRecipient } from './recipients/store.ts';
import { addNotificationRoutes, type Recipient } from './routes.ts';
import { createRules } from './rules/service.ts';
import { createNotifications } from './service.ts';

export type { Backtest } from './backtest-routes.ts';
export { present } from './service.ts';
export { countNotifications, readNotifications } from './store.ts';

export interface NotificationsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly outbound: Outbound;
  /** undefined: the operation does not exist */
  readonly backtest?: Backtest | undefined;
  readonly addressesOf?: AddressesOf | undefined;
  readonly settings: {
    readonly VAPID_PUBLIC_KEY?: string | undefined;
    readonly BACKTEST_DAYS: number;
    readonly BACKTESTS_AT_ONCE: number;
  };
}

/** Notification rules, the messages that they cause, and their delivery to apps. */
export function addNotifications(app: App, deps: NotificationsDeps): void {
  const pool = deps.database.app;
  const checkUrl = (url: string): Promise<void> => deps.outbound.check(url);
  const notifications = createNotifications(pool, deps.cursors);
  const rules = createRules(pool, checkUrl);
  const { backtest, settings } = deps;
  if (backtest !== undefined) {
    const { BACKTEST_DAYS: mostDays, BACKTESTS_AT_ONCE: atOnce } = settings;
    addBacktestRoute(app, { rules, backtest, mostDays, atOnce });
  }
  addNotificationRoutes(app, {
    rules,
    notifications,
    addressesOf: deps.addressesOf,
    clock: deps.clock,
    async recipient(request: FastifyRequest, name: string, others): Promise<Recipient> {
      const by = principalOf(request);
      const wanted = name === 'me' && by.kind === 'user' ? by.id : name;
      const user = await findRecipient(pool, tenantOf(request), wanted);
      const isSelf = by.kind === 'user' && user?.id === by.id;
      if (!isSelf && !by.scopes.has(others)) throw new AppError('missing-scope', `The scope ${others} is needed`);
      if (user === undefined) throw new AppError('unknown-user');
      return user;
    },
  });
  addAlertRoutes(app, notifications);
  addPushRoutes(app, { pool, vapidPublicKey: settings.VAPID_PUBLIC_KEY, checkUrl });
}

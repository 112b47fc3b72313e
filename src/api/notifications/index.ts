import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import { principalOf, tenantOf } from '../http/access.ts';
import type { App } from '../http/server.ts';
import type { ApiDeps } from '../wiring/deps.ts';
import type { Identity } from '../wiring/identity.ts';
import { addAlertRoutes } from './app-routes.ts';
import { addPushRoutes } from './push/routes.ts';
import { findRecipient } from './recipients/store.ts';
import { addNotificationRoutes, type Recipient } from './routes.ts';
import { createRules } from './rules/service.ts';
import { createNotifications } from './service.ts';

/** Rules, the messages that they lead to, and what of them is brought to apps. */
export function addNotifications(app: App, identity: Identity, deps: ApiDeps, outbound: Outbound): void {
  const pool = deps.database.app;
  const checkUrl = (url: string): Promise<void> => outbound.check(url);
  const notifications = createNotifications(pool, identity.cursors);
  addNotificationRoutes(app, {
    rules: createRules(pool, checkUrl),
    notifications,
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
  addPushRoutes(app, { pool, vapidPublicKey: deps.settings.VAPID_PUBLIC_KEY, checkUrl });
}

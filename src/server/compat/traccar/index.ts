import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import type { Credentials } from '../../kernel/access/index.ts';
import type { Accounts } from '../../kernel/auth/index.ts';
import type { App, OnCaller } from '../../kernel/http/index.ts';
import { addCommands, type CommandTypes } from './commands.ts';
import { devices } from './devices.ts';
import { addFleetRecords } from './fleet-records.ts';
import { addFleetRoutes } from './fleet-routes.ts';
import { createIds } from './ids/service.ts';
import { addNotificationRoutes } from './notifications.ts';
import { addPermissions } from './permissions.ts';
import { addReports } from './reports.ts';
import { addEmpty, addResource, refusing } from './resource.ts';
import { createRouteKit, traccarRoute } from './routes.ts';
import { addServerRoutes, type ServerFacts } from './server-routes.ts';
import { addSessionRoutes } from './session-routes.ts';
import { createSignIn } from './sign-in/service.ts';
import { addSocket } from './socket.ts';
import { addStatistics } from './statistics.ts';
import { whyUnserved } from './unserved.ts';
import { addUsers } from './users.ts';

export interface TraccarDeps extends ServerFacts {
  readonly accounts: Pick<Accounts, 'logins' | 'sessions'>;
  readonly credentials: Credentials;
  /** as tenants, and as the role that reads credentials */
  readonly pools: { readonly app: pg.Pool; readonly ingest: pg.Pool };
  readonly clock: Clock;
  readonly log: Log;
  readonly commandTypes: CommandTypes;
  /** hears of each request of a caller */
  readonly onCaller: OnCaller;
}

const PREFIX = '/api';
const FORM = 'application/x-www-form-urlencoded';

/**
 * The REST interface of Traccar at `/api`, for clients that were made for it. Every request is translated to operations
 * of this API, which are called as the caller.
 */
export async function addTraccarRoutes(root: App, deps: TraccarDeps): Promise<void> {
  const { pools, clock, log } = deps;
  const signIn = createSignIn({ ...deps, pool: pools.ingest });
  const kit = createRouteKit(root, createIds(pools.app), signIn, deps.onCaller);
  addSocket(root, { signIn, log, createContext: kit.createContext });
  root.decorateRequest('traccarCaller', undefined);
  await root.register(
    async (plain) => {
      const app = plain as App;
      app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(body as string))),
      );
      app.addHook('onRequest', async (request, reply) => {
        if (request.routeOptions.config.isTraccarPublic === true) return;
        request.traccarCaller = await kit.authenticate(request);
        if (request.traccarCaller !== undefined) return;
        reply.header('www-authenticate', 'Basic realm="api"');
        throw new AppError('unauthorized');
      });
      addServerRoutes(app, kit, deps);
      addSessionRoutes(app, kit, { signIn, clock });
      addReports(app, kit);
      addFleetRoutes(app, kit);
      addResource(app, kit, devices);
      addFleetRecords(app, kit);
      addUsers(app, kit);
      addPermissions(app, kit);
      addCommands(app, kit, deps.commandTypes);
      addNotificationRoutes(app, kit);
      for (const path of ['calendars', 'maintenance', 'attributes/computed', 'orders']) addEmpty(app, kit, path);
      addStatistics(app, kit, clock);
      app.route({
        ...traccarRoute(),
        ...refusing((request) => whyUnserved(request, PREFIX)),
        method: ['GET', 'POST', 'PUT', 'DELETE'],
        url: '/*',
      });
    },
    { prefix: PREFIX },
  );
}

import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Credentials } from '../access/index.ts';
import type { Accounts } from '../auth/index.ts';
import type { App, OnCaller } from '../http/index.ts';
import { addCommands, type CommandTypes } from './commands.ts';
import { devices } from './devices.ts';
import { addFleetRecords } from './fleet-records.ts';
import { addFleetRoutes } from './fleet-routes.ts';
import { createIds } from './ids/service.ts';
import { addNotificationRoutes } from './notifications.ts';
import { addReports } from './reports.ts';
import { notImplemented } from './request.ts';
import { addEmpty, addResource } from './resource.ts';
import { createRouteKit, traccarRoute } from './routes.ts';
import { addSessionRoutes } from './session-routes.ts';
import { createSignIn } from './sign-in/service.ts';
import { addSocket } from './socket.ts';
import { addStatistics } from './statistics.ts';
import { addUsers } from './users.ts';

export interface TraccarDeps {
  readonly accounts: Pick<Accounts, 'logins' | 'sessions'>;
  readonly credentials: Credentials;
  /** as tenants, and as the role that reads credentials */
  readonly pools: { readonly app: pg.Pool; readonly ingest: pg.Pool };
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly commandTypes: CommandTypes;
  /** hears of each request of a caller */
  readonly onCaller: OnCaller;
}

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
      app.get('/server', traccarRoute({ public: true }), async () => serverOf(deps.version));
      addSessionRoutes(app, kit, { signIn, clock });
      addReports(app, kit);
      addFleetRoutes(app, kit);
      addResource(app, kit, devices);
      addFleetRecords(app, kit);
      addUsers(app, kit);
      addCommands(app, kit, deps.commandTypes);
      addNotificationRoutes(app, kit);
      for (const path of ['calendars', 'maintenance', 'attributes/computed', 'orders']) addEmpty(app, path);
      app.get('/health', traccarRoute({ public: true }), async (_request, reply) =>
        reply.type('text/plain').serializer(String).send('OK'),
      );
      app.get('/server/timezones', traccarRoute(), async () => Intl.supportedValuesOf('timeZone'));
      addStatistics(app, kit, clock);
      app.route({
        ...traccarRoute(),
        method: ['GET', 'POST', 'PUT', 'DELETE'],
        url: '/*',
        handler({ method, url }) {
          throw notImplemented(`${method} ${url.split('?', 1)[0]} of Traccar has no counterpart here`);
        },
      });
    },
    { prefix: '/api' },
  );
}

/** What the server says of itself. It has no settings that clients may change. */
const serverOf = (version: string) => ({
  id: 1,
  registration: false,
  readonly: false,
  deviceReadonly: false,
  limitCommands: false,
  disableReports: false,
  fixedEmail: true,
  map: null,
  bingKey: null,
  mapUrl: null,
  overlayUrl: null,
  poiLayer: null,
  announcement: null,
  latitude: 0,
  longitude: 0,
  zoom: 0,
  version,
  forceSettings: false,
  coordinateFormat: null,
  openIdEnabled: false,
  openIdForce: false,
  emailEnabled: false,
  geocoderEnabled: false,
  textEnabled: false,
  newServer: false,
  attributes: { speedUnit: 'kmh', distanceUnit: 'km', altitudeUnit: 'm', volumeUnit: 'ltr' },
});

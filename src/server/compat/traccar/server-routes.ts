import { AppError } from '../../../platform/errors.ts';
import type { App } from '../../kernel/http/index.ts';
import { valuesOf } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';

export interface ServerFacts {
  readonly version: string;
  /** whether positions can have addresses */
  readonly hasAddresses: boolean;
}

interface OwnPlace {
  readonly address: string | null;
  readonly attribution: string;
}

export function addServerRoutes(app: App, { contextOf }: RouteKit, facts: ServerFacts): void {
  const open = traccarRoute({ public: true });
  const closed = traccarRoute();
  app.get('/server', open, async () => serverOf(facts));
  app.get('/health', open, async (_request, reply) => reply.type('text/plain').serializer(String).send('OK'));
  app.get('/server/timezones', closed, async () => Intl.supportedValuesOf('timeZone'));
  app.get('/server/geocode', closed, async (request, reply) => {
    const [latitude = '', longitude = ''] = ['latitude', 'longitude'].map((name) => valuesOf(request, name)[0]);
    const place = `/v1/places?${new URLSearchParams({ latitude, longitude })}`;
    const { address, attribution } = await contextOf(request).operations.call<OwnPlace>('GET', place);
    if (address === null) throw new AppError('not-found', 'No place is near');
    // the text contains the source, since clients have no other place to show it
    return reply.type('text/plain; charset=utf-8').serializer(String).send(`${address} (${attribution})`);
  });
}

/** Description of the server. Clients cannot change its settings. */
const serverOf = ({ version, hasAddresses }: ServerFacts) => ({
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
  geocoderEnabled: hasAddresses,
  textEnabled: false,
  newServer: false,
  attributes: { speedUnit: 'kmh', distanceUnit: 'km', altitudeUnit: 'm', volumeUnit: 'ltr' },
});

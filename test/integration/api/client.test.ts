import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fleetgate, type HttpResponse, type Problem } from '../../../client/fleetgate.ts';
import { API_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { positionEvent } from '../../support/positions.ts';
import { stopSharedServer, withDatabase } from '../../support/postgres.ts';

const PASSWORD = 'nine quiet lorries';
const root = join(import.meta.dirname, '..', '..', '..');

let api: RunningApi;
const clientOf = (token: string): Fleetgate<string> => {
  const client = new Fleetgate<string>({
    baseUrl: api.url,
    securityWorker: (bearer) => ({ headers: { authorization: `Bearer ${bearer}` } }),
    baseApiParams: { secure: true },
  });
  client.setSecurityData(token);
  return client;
};
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await stopSharedServer();
});

test('the typed client is the one that the document gives', () => {
  const document = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8');
  const client = readFileSync(join(root, 'client', 'fleetgate.ts'), 'utf8');
  const hash = createHash('sha256').update(document).digest('hex');
  expect(client.includes(`docs/openapi.json, sha256 ${hash}\n`), 'npm run openapi writes it').toBe(true);
});

test('a fleet is set up and looked at with the typed client', async () => {
  const client = clientOf(API_KEY);
  const group = await client.groups.postGroups({ name: 'Northern depot' });
  const vehicle = await client.vehicles.postVehicles({ targa: 'ab 123 cd', group: group.data.name });
  expect(vehicle.data.targa).toBe('AB123CD');
  await api.events([positionEvent('CLIENT-1', 1)]);
  await client.pairings.postPairings({ targa: 'AB123CD', imei: 'CLIENT-1' });
  const position = await client.vehicles.getVehiclesByImeiPosition('CLIENT-1');
  expect(position.data).toMatchObject({ imei: 'CLIENT-1', targa: 'AB123CD' });
  const page = await client.vehicles.getVehicles({ limit: 10 });
  expect(page.data.items.map(({ imei }) => imei)).toEqual(['CLIENT-1']);
});

test('who logs in with it is let in, and is told what is wrong as the document says', async () => {
  const client = clientOf(API_KEY);
  await client.users.postUsers({ username: 'carla', role: 'viewer', password: PASSWORD });
  const session = await client.auth.postAuthCredentials({ username: 'carla', password: PASSWORD });
  const mine = clientOf(session.data.accessToken);
  expect((await mine.app.getAppMe()).data.user.username).toBe('carla');
  const refused = (await mine.vehicles
    .postVehicles({ targa: 'X1' })
    .catch((answer: unknown) => answer)) as HttpResponse<unknown, Problem>;
  expect(refused.error).toMatchObject({ status: 403, code: 'missing-scope' });
});

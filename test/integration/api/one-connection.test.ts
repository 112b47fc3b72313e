import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey, type SCOPES } from '../../../src/server/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

let api: RunningApi;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  agent.destroy();
  await api?.stop();
  await dropDatabases();
});

const ports = new Set<number | undefined>();

/** Status of a request by the one connection. */
async function get(key: string, path = '/v1/devices'): Promise<number> {
  const sent = request(new URL(path, api.url), { agent, headers: { authorization: `Bearer ${key}` } });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end();
  });
  ports.add(answer.socket.localPort);
  await text(answer);
  return answer.statusCode!;
}

test('each request of a connection is judged by its own credential, and by what has been revoked since', async () => {
  const tenantId = await api.database.tenantId('default');
  const create = (name: string, scopes: readonly (typeof SCOPES)[number][]) =>
    createKey(api.database.ingest, { tenantId, name, scopes });
  const reads = await create('reads', ['devices:read']);
  const commands = await create('commands', ['commands:read']);
  expect(await get(reads.key)).toBe(200);
  expect(await get(reads.key)).toBe(200);
  expect(await get(commands.key), 'another credential').toBe(403);
  expect(await get(`${reads.key}x`), 'one character more').toBe(401);
  expect(await get(reads.key)).toBe(200);
  const revoked = new Promise<void>((resolve) => api.database.listener.on('fleetgate_key', () => resolve()));
  await revokeKey(api.database.ingest, tenantId, reads.id);
  await revoked;
  expect(await get(reads.key), 'revoked').toBe(401);
  expect(await get(commands.key), 'not revoked').toBe(403);
  expect(ports.size).toBe(1);
});

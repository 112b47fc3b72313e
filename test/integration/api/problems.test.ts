import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorTable } from '../../../src/platform/errors.ts';
import { positionEvent } from '../../support/positions.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands({ OPEN_COMMANDS: 2, diagnostics: true });
});
afterAll(() => world?.stop());

test('the type of a problem leads to a page that says what it is', async () => {
  const { type, code } = (await world.api.get('/v1/vehicles/NONE')).body;
  const page = await fetch(world.api.url + type);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain(errorTable[code as keyof typeof errorTable].title);
  expect((await fetch(`${world.api.url}/problems/constructor`)).status).toBe(404);
});

test.each([
  [{ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }, 401, 'invalid_client'],
  [{ grant_type: 'client_credentials', wrong: 'x' }, 422, 'invalid_request'],
])('the token endpoint answers errors of OAuth 2.0: %j', async (form, status, error) => {
  const answer = await fetch(`${world.api.url}/v1/auth/user_api`, { method: 'POST', body: new URLSearchParams(form) });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error, error_description: expect.any(String), status });
});

test('a scope that is not granted is invalid_scope', async () => {
  const { key } = (await world.api.send('POST', '/v1/keys', { name: 'k', scopes: ['vehicles:read'] })).body;
  const [, , id] = key.split('_');
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: key, scope: 'users:write' };
  const answer = await fetch(`${world.api.url}/v1/auth/user_api`, { method: 'POST', body: new URLSearchParams(form) });
  expect(await answer.json()).toMatchObject({ error: 'invalid_scope', code: 'scope-not-granted' });
});

test('a duplicate names the open command, and a full queue says when to come again', async () => {
  const imei = await world.device();
  const { commandId } = (await world.enqueue({ imei, gprsCommand: 'x', dedupeKey: 'once' })).body;
  const again = await world.enqueue({ imei, gprsCommand: 'x', dedupeKey: 'once' });
  expect(again.body).toMatchObject({ code: 'duplicate-pending', detail: expect.stringContaining(commandId) });
  const batch = { imeis: [imei], gprsCommand: 'x', dedupeKey: 'once' };
  const { commands } = (await world.api.send('POST', '/v1/gprsCommands/batch', batch)).body;
  expect(commands[0].problem.detail).toContain(commandId);
  await world.enqueue({ imei, gprsCommand: 'y' });
  const full = await world.enqueue({ imei, gprsCommand: 'z' });
  expect([full.body.code, full.headers.get('retry-after')]).toEqual(['device-queue-full', '60']);
});

test('an imei that is a number is said to be no string', async () => {
  const { body } = await world.enqueue({ imei: 356307042441013, gprsCommand: 'x' });
  expect(body).toMatchObject({
    status: 422,
    code: 'bad-device-id',
    errors: [{ pointer: '/imei', detail: 'a string is expected' }],
  });
});

test('the missing file of several is named', async () => {
  const body = { fileIds: ['ddd_missing'] };
  const answer = await world.api.send('POST', '/v1/drivers/ddd/files/analize_save', body);
  expect(answer.body).toMatchObject({ code: 'unknown-file', detail: expect.stringContaining('ddd_missing') });
});

test('the echo hashes the bytes that it got', async () => {
  const { authorization } = await world.key(['diagnostics']);
  for (const body of ['', '{ "a" : 1 }', '{"a":"ü"}']) {
    const headers = { authorization, ...(body === '' ? {} : { 'content-type': 'application/json' }) };
    const answer = await fetch(`${world.api.url}/v1/unamerda`, { method: 'POST', headers, ...(body && { body }) });
    const sha256 = createHash('sha256').update(body).digest('hex');
    expect(await answer.json()).toMatchObject({ bytes: Buffer.byteLength(body), sha256 });
  }
});

test('percorso of a device answers the plate of its vehicle', async () => {
  const imei = await world.device();
  await world.api.events([1, 2].map((n) => positionEvent(imei, n)));
  await world.api.send('POST', '/v1/vehicles', { targa: 'FG123AB' });
  await world.api.send('POST', '/v1/pairings', { targa: 'FG123AB', imei, from: '2026-05-01T00:00:00Z' });
  const interval = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' };
  const answer = await world.api.send('PUT', '/v1/vehicles/percorso', { imei, ...interval });
  expect(answer.body.targa).toBe('FG123AB');
});

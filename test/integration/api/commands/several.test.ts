import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDispatch } from '../../../../src/apps/dispatch.ts';
import type { DispatchEngine } from '../../../../src/server/commands/dispatch/index.ts';
import { type Database, openDatabase } from '../../../../src/server/database/index.ts';
import { type RunningApi, silent, startApi } from '../../../support/api.ts';
import { testSettings } from '../../../support/settings.ts';
import { type CommandWorld, openCommands } from './support.ts';

/** longer than the test may take: what is answered before was announced, and not read */
const NEVER_MS = 600_000;

let world: CommandWorld;
let database: Database;
let engine: DispatchEngine;
let far: RunningApi;

beforeAll(async () => {
  world = await openCommands();
  database = await openDatabase({ url: world.databaseUrl, log: silent });
  const { engine: own, ...parts } = await startDispatch(database, silent, testSettings());
  engine = own;
  far = await startApi(world.databaseUrl, {}, { ...parts, commandPollMs: NEVER_MS });
});
afterAll(async () => {
  await far?.stop();
  await engine?.stop();
  await database?.close();
  await world?.stop();
});

test('an API that does not have the device answers by the notification of the one that has', {
  timeout: 40_000,
}, async () => {
  const gateway = await world.gateway();
  const imei = await world.device();
  await gateway.connect(imei);
  const answer = far.send('POST', '/v1/gprsCommands/?wait=60', { imei, gprsCommand: 'getinfo' });
  const line = await gateway.next();
  await gateway.sent(line);
  await gateway.answer(line, { text: 'INI:2026/1/1' });
  expect((await answer).body).toMatchObject({ commandId: line.commandId, status: 'acknowledged' });
  const found = await far.get(`/v1/gprsCommands/${line.commandId}?wait=60`);
  expect(found.body).toMatchObject({ status: 'acknowledged', response: 'INI:2026/1/1' });
  gateway.close();
});

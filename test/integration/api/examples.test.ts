import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY } from '../../support/api.ts';
import { requestExamples, sendPlain } from '../../support/example-calls.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands({ diagnostics: true });
});
afterAll(() => world?.stop());

test('every request of the document is answered as the document says', async () => {
  const { api } = world;
  expect(await requestExamples(api, API_KEY, (call) => sendPlain(api.url, call))).toEqual([]);
}, 300_000);

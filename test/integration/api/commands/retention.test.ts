import { afterAll, beforeAll, expect, test } from 'vitest';
import { query } from '../../../support/bench.ts';
import { type CommandWorld, openCommands } from './support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands({ COMMAND_RETENTION_DAYS: 30 });
});
afterAll(() => world?.stop());

const ids = async () => new Set((await world.sql('select id from command')).map(({ id }) => id));
const lines = async (id: string) =>
  (await world.sql('select count(*)::int as n from command_history where command_id = $1', [id]))[0]!['n'];

/** A command that was made so many days ago, and ended a day later where it has. */
async function aged(imei: string, days: number, hasEnded: boolean): Promise<string> {
  const id = (await world.enqueue({ imei, gprsCommand: 'getinfo' })).body.commandId;
  if (hasEnded) await world.api.send('DELETE', `/v1/gprsCommands/${id}`);
  await world.sql(
    `update command set created_at = created_at - $2 * interval '1 day',
       ended_at = ended_at - ($2 - 1) * interval '1 day' where id = $1`,
    [id, days],
  );
  return id;
}

test('commands are kept for the configured days after their end, and while they are open', async () => {
  const imei = await world.device();
  const old = await aged(imei, 40, true);
  const fresh = await aged(imei, 29, true);
  const endedLate = await aged(imei, 30.5, true);
  const open = await aged(imei, 400, false);
  expect(await lines(old)).toBe(2);
  await world.api.api.housekeeping.run();
  const left = await ids();
  expect([old, fresh, endedLate, open].map((id) => left.has(id))).toEqual([false, true, true, true]);
  expect(await lines(old)).toBe(0);
  expect(await lines(fresh)).toBe(2);
});

test('commands of a removed device are deleted', async () => {
  const imei = await world.device();
  const id = await aged(imei, 0, false);
  await world.api.send('DELETE', `/v1/devices/${imei}`);
  await query(world.databaseUrl, `update fleetgate.removed_device set removed_at = now() - interval '1 hour'`);
  await world.api.api.housekeeping.run();
  expect((await ids()).has(id)).toBe(false);
  expect(await lines(id)).toBe(0);
});

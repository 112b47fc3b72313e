import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../../../src/server/index.ts';
import { type CommandWorld, openCommands } from './support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands();
});
afterAll(() => world?.stop());

const batch = (body: object, headers = {}) => world.api.send('POST', '/v1/gprsCommands/batch', body, headers);

describe('a batch', () => {
  test('queues one command per device and reports the errors of each device', async () => {
    const [one, two] = [await world.device(), await world.device({ protocol: 'h02' })];
    const full = await world.device();
    await world.fill(full, 100);
    const answer = await batch({ imeis: [one, two, one, 'a b', full], type: 'requestPhoto', priority: 2 });
    expect(answer.status).toBe(200);
    const { batchId, commands } = answer.body;
    expect(batchId).toMatch(/^bat_[0-9a-f]{32}$/);
    expect(commands).toEqual([
      { imei: one, commandId: expect.stringMatching(/^cmd_/) },
      {
        imei: two,
        problem: { code: 'unsupported-by-protocol', status: 422, detail: expect.stringMatching(/^h02 takes/) },
      },
      { imei: 'a b', problem: { code: 'bad-device-id', status: 422, detail: expect.any(String) } },
      { imei: full, problem: { code: 'device-queue-full', status: 429, detail: expect.any(String) } },
    ]);
    const found = await world.api.get(`/v1/gprsCommands/${commands[0].commandId}`);
    expect(found.body).toMatchObject({ imei: one, batchId, type: 'requestPhoto', priority: 2, status: 'pending' });
  });

  test('that is invalid as a whole queues nothing', async () => {
    const imei = await world.device();
    const before = await world.commands();
    const cases: [object, number, string][] = [
      [{ gprsCommand: 'x' }, 422, 'invalid'],
      [{ imeis: [], gprsCommand: 'x' }, 422, 'invalid'],
      [{ imeis: [imei], group: 'vans', gprsCommand: 'x' }, 422, 'invalid'],
      [{ group: 'vans', gprsCommand: 'x' }, 404, 'unknown-group'],
      [{ imeis: [imei] }, 422, 'invalid'],
      [{ imeis: [imei], gprsCommand: 'x'.repeat(2000) }, 422, 'command-too-long'],
      [{ imeis: [imei], gprsCommand: 'x', ttlSeconds: 1e10 }, 422, 'ttl-out-of-range'],
    ];
    for (const [body, status, code] of cases) expect((await batch(body)).body).toMatchObject({ status, code });
    expect(await world.commands()).toBe(before);
  });

  test('for a group is queued for the devices that are in its vehicles now', async () => {
    const [inside, moved, spare] = [await world.device(), await world.device(), await world.device()];
    const made = await world.api.send('POST', '/v1/groups', { name: 'Vans of Milan' });
    const into = async (targa: string, imei: string, group: string | null, until: string | null = null) => {
      const vehicle = await world.api.send('POST', '/v1/vehicles', { targa, group });
      await world.sql(
        `insert into pairing (id, tenant_id, vehicle_id, device_id, source, valid_from, valid_to)
         select 'prg_' || $1, d.tenant_id, $2, d.id, 'manual', now() - interval '1 day', now() + $4::interval
         from device d where d.imei = $3`,
        [targa, vehicle.body.id, imei, until],
      );
    };
    await into('GR1', inside, 'Vans of Milan');
    await into('GR2', moved, 'Vans of Milan', '-1 hour');
    await into('GR3', spare, null);
    for (const group of ['Vans of Milan', made.body.id]) {
      const { status, body } = await batch({ group, gprsCommand: 'getinfo' });
      expect([status, body.commands]).toEqual([200, [{ imei: inside, commandId: expect.stringMatching(/^cmd_/) }]]);
    }
    const empty = await world.api.send('POST', '/v1/groups', { name: 'Nobody' });
    expect((await batch({ group: empty.body.id, gprsCommand: 'getinfo' })).body.commands).toEqual([]);
    const otherTenant = await world.key(SCOPES.slice(), 'other');
    const theirs = await batch({ group: 'Vans of Milan', gprsCommand: 'getinfo' }, otherTenant);
    expect(theirs.body).toMatchObject({ status: 404, code: 'unknown-group' });
  });

  test('of a privileged command is refused device by device without the scope', async () => {
    const key = await world.key(SCOPES.filter((scope) => scope !== 'commands:privileged'));
    const spoken = await world.device({ protocol: 'jt808' });
    const unknown = await world.device();
    const { body } = await batch({ imeis: [spoken, unknown], gprsCommand: 'lvcanopenalldoors' }, key);
    expect(body.commands[0].commandId).toBeDefined();
    expect(body.commands[1].problem.code).toBe('missing-scope');
  });

  test('of thousands is stored completely and does not delay other commands', async () => {
    const imeis = Array.from({ length: 5_000 }, (_, i) => String(900_000_000_000_000 + i));
    const imei = await world.device();
    let isDone = false;
    const large = batch({ imeis, gprsCommand: 'getinfo' }).finally(() => {
      isDone = true;
    });
    let between = 0;
    while (!isDone && between < 20) if ((await world.enqueue({ imei, gprsCommand: 'x' })).status === 200) between++;
    const { body } = await large;
    expect(between).toBeGreaterThan(0);
    expect(body.commands.map((c: { imei: string }) => c.imei)).toEqual(imeis);
    expect(body.commands.every((c: { commandId?: string }) => c.commandId !== undefined)).toBe(true);
    const [row] = await world.sql('select count(*)::int as n from command where batch_id = $1', [body.batchId]);
    expect(row).toEqual({ n: 5_000 });
  });

  test('that was interrupted continues where it stopped', async () => {
    const imeis = Array.from({ length: 1_200 }, (_, i) => String(800_000_000_000_000 + i));
    const key = { 'idempotency-key': 'batch-1' };
    const first = await batch({ imeis, gprsCommand: 'getinfo' }, key);
    const { batchId } = first.body;
    // as a process leaves it that dies after some chunks
    await world.sql(
      `delete from command where batch_id = $1 and id in
      (select id from command where batch_id = $1 order by seq desc limit 700)`,
      [batchId],
    );
    await world.sql(`update idempotency set status = null, body = null, running_until = now() - interval '1 second'`);
    const again = await batch({ imeis, gprsCommand: 'getinfo' }, key);
    expect(again.body).toEqual(first.body);
    const [row] = await world.sql('select count(*)::int as n from command where batch_id = $1', [batchId]);
    expect(row).toEqual({ n: 1_200 });
    expect((await batch({ imeis, gprsCommand: 'getinfo' }, key)).headers.get('idempotency-replayed')).toBe('true');
  });
});

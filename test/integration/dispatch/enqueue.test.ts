import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewCommand } from '../../../src/contract/command.ts';
import { enqueueCommands } from '../../../src/server/commands/dispatch/enqueue/store.ts';
import { type DispatchWorld, FakeGateway, openWorld } from './support.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Everything that storing a command has written, but for what is each command's own. */
async function written(id: string): Promise<Record<string, unknown>> {
  const { rows } = await world.database.ingest.query<Record<string, unknown>>(
    `select to_jsonb(c) - '{id,device_id,seq,ticket,created_at,expires_at,deadline,not_before,epoch,gateway,conn}'::text[]
              as command,
            c.ticket = (c.seq % 65535) + 1 as "hasItsTicket", c.expires_at - c.created_at as ttl,
            c.deadline - c.created_at as "answerWithin", c.not_before - c.created_at > interval '0' as "isEarly",
            c.gateway is not distinct from s.gateway and c.conn = s.conn and c.epoch = s.epoch as "isOfItsSession",
            (select jsonb_agg(jsonb_build_array(h.from_state, h.to_state, h.reason, h.actor in ('test', s.gateway))
                              order by h.id) from command_history h where h.command_id = c.id) as history,
            (select count(*) from command_outbox o where o.command_id = c.id) as outbox,
            (select jsonb_agg(jsonb_build_array(a.actor, a.ip, a.action, a.after, a.request_id)) from audit a
             where a.object = c.id) as audit,
            (select jsonb_agg(w.due_at > c.created_at) from wake_up w where w.command_id = c.id) as "wakeUp"
     from command c left join session s on s.device_id = c.device_id where c.id = $1`,
    [id],
  );
  return rows[0]!;
}

const note = { actor: 'key', address: '192.0.2.1', action: 'POST', after: { imei: 'x' }, requestId: 'r' };

describe('a single command', () => {
  const cases: readonly [string, { online: boolean; over?: Partial<NewCommand>; wakesAll?: boolean }][] = [
    ['for a device online', { online: true }],
    ['for a device offline', { online: false }],
    ['for a device that somebody wakes up', { online: false, wakesAll: true }],
    ['that is not to be sent yet', { online: true, over: { notBefore: Date.now() + 3_600_000 } }],
    ['with all that it may say', { online: true, over: { note, batchId: 'bat_1', callbackUrl: 'https://a.test/' } }],
  ];
  it.each(cases)('is stored as in a batch: %s', async (_, { online, over = {}, wakesAll = false }) => {
    const gateway = await new FakeGateway(world, world.engine()).open();
    const devices = [await world.device(), await world.device(), await world.device()];
    if (online) for (const device of devices) await gateway.connect(device);
    const [alone, ...others] = devices.map((device) => world.command(device.id, over));
    const options = { gateways: [gateway.name], maxOpen: 100, wakesAll };
    const one = await enqueueCommands(world.database.ingest, [alone!], options);
    const many = await enqueueCommands(world.database.ingest, others, options);
    expect(await written(alone!.id)).toEqual(await written(others[0]!.id));
    expect(one.stored.size).toBe(1);
    expect(one.claimed.length * 2).toBe(many.claimed.length);
    const like = ({ gateway, deliveries, type, params, encoding, text }: (typeof one.claimed)[number]) => {
      return { gateway, deliveries, type, params, encoding, text };
    };
    expect(one.claimed.map(like)).toEqual(many.claimed.slice(0, 1).map(like));
  });

  it('waits behind earlier commands, which are sent', async () => {
    const gateway = await new FakeGateway(world, world.engine()).open();
    const device = await world.device();
    const options = { gateways: [gateway.name], maxOpen: 100, wakesAll: false };
    const before = world.command(device.id);
    await enqueueCommands(world.database.ingest, [before], options);
    await gateway.connect(device);
    await world.database.ingest.query(
      `update command set state = 'pending', attempts = 0, gateway = null, conn = null, deadline = null where id = $1`,
      [before.id],
    );
    const { stored, claimed } = await enqueueCommands(world.database.ingest, [world.command(device.id)], options);
    expect(stored.size).toBe(1);
    expect(claimed.map(({ id }) => id)).toEqual([before.id]);
  });

  it('is refused if the queue of its device is full, and not stored if it is outdated', async () => {
    const device = await world.device();
    const options = { gateways: [], maxOpen: 1, wakesAll: false };
    const plannedBy = { deviceVersion: 1, settingVersion: 0, protocol: null };
    const outdated = world.command(device.id, { plannedBy });
    expect((await enqueueCommands(world.database.ingest, [outdated], options)).outdated).toEqual(
      new Set([outdated.id]),
    );
    expect((await enqueueCommands(world.database.ingest, [world.command(device.id)], options)).stored.size).toBe(1);
    const beyond = await enqueueCommands(world.database.ingest, [world.command(device.id)], options);
    expect(beyond).toEqual({ stored: new Map(), duplicates: new Set(), outdated: new Set(), claimed: [] });
    const rows = await world.database.ingest.query('select from command where device_id = $1', [device.id]);
    expect(rows.rowCount).toBe(1);
  });
});

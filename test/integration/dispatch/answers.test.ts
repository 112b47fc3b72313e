import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DispatchEngine } from '../../../src/server/commands/dispatch/engine.ts';
import { rearm } from '../../../src/server/commands/dispatch/index.ts';
import { ageInFlight, type DispatchWorld, FakeGateway, openOnline, openWorld } from './support.ts';

let world: DispatchWorld;
let engine: DispatchEngine;

beforeAll(async () => {
  world = await openWorld();
  engine = world.engine();
});
afterAll(() => world.close());

const online = (protocol?: string) => openOnline(world, engine, protocol);

describe('gateways that give their connections the same id', () => {
  const pair = async () => {
    const device = await world.device();
    const [first, second] = await Promise.all(
      ['gw-first', 'gw-second'].map((name) => new FakeGateway(world, engine, `${name}-${device.id}`, 'run').open()),
    );
    return { device, first: first!, second: second! };
  };

  it('an answer of a connection belongs to no command that was sent on the other one', async () => {
    const { device, first, second } = await pair();
    const [command, next] = [world.command(device.id, { maxAttempts: 1 }), world.command(device.id)];
    const conn = await first.connect(device);
    await engine.enqueue(command);
    await first.sent(await first.delivered(1), device.id);
    expect(await second.connect(device)).toBe(conn);
    expect((await world.read(command.id)).state).toBe('failed');
    await engine.enqueue(next);
    const line = await second.delivered(1);
    await second.sent(line, device.id);
    // the device comes back to the first gateway before the events of the second one are applied
    await first.connect(device);
    await second.answer(line, device.id, { text: 'of the next one' });
    expect(await world.read(command.id)).toMatchObject({ state: 'failed', answer: null });
  });

  it('a late answer to the one does not let a command go on the other, which waits for its own', async () => {
    const { device, first, second } = await pair();
    const [command, next, last] = [1, 2, 3].map(() => world.command(device.id, { once: true }));
    await first.connect(device);
    await engine.enqueue(command!);
    const line = await first.delivered(1);
    await first.sent(line, device.id);
    await second.connect(device);
    await engine.enqueue(next!);
    await second.sent(await second.delivered(1), device.id);
    await ageInFlight(world, device.id);
    await second.clock();
    await engine.sweep();
    await engine.enqueue(last!);
    await first.answer(line, device.id, { text: 'of the first' });
    expect(await world.read(command!.id)).toMatchObject({ state: 'acknowledged', answer: 'of the first' });
    expect(second.deliveries().length).toBe(1);
    expect((await world.read(last!.id)).state).toBe('pending');
  });
});

describe('a command that is re-armed', () => {
  const requester = { tenantId: 1, actor: 'test', now: 0 };
  const rearmed = (id: string) =>
    rearm(
      engine,
      { target: { commandId: id }, isForced: true, states: [], commandIds: undefined, ttlMs: undefined } as never,
      { ...requester, now: Date.now() },
    );

  it.each(['ordered', 'ticketed'])('before its answer comes is ended by the answer: %s', async (protocol) => {
    const { device, gateway } = await online(protocol);
    const command = world.command(device.id, { priority: 9 });
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    // with tickets nothing waits for the answer: another command is sent first
    await engine.enqueue(world.command(device.id, { priority: 1 }));
    expect((await rearmed(command.id)).requeued).toEqual([command.id]);
    expect((await world.read(command.id)).state).toBe('pending');
    const ticket = protocol === 'ticketed' ? { ticket: line.ticket } : {};
    await gateway.answer(line, device.id, { ...ticket, text: 'first' });
    expect(await world.read(command.id)).toMatchObject({
      state: 'acknowledged',
      answer: 'first',
      mayHaveExecuted: false,
    });
    expect(gateway.deliveries().filter(({ commandId }) => commandId === command.id).length).toBe(1);
  });

  it('before it is refused is not sent again', async () => {
    const { device, gateway } = await online();
    const command = world.command(device.id);
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await rearmed(command.id);
    await gateway.answer(line, device.id, { outcome: 'refused', text: 'NO' });
    expect(await world.read(command.id)).toMatchObject({ state: 'failed', reason: 'refused-by-device', answer: 'NO' });
    expect(gateway.deliveries().length).toBe(1);
  });

  it('after its answer is not ended by a repetition of that answer', async () => {
    const { device, gateway, conn } = await online();
    const command = world.command(device.id);
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await gateway.answer(line, device.id, { outcome: 'refused', text: 'NO' });
    await gateway.disconnect(device, conn);
    await rearmed(command.id);
    await gateway.answer(line, device.id, { outcome: 'refused', text: 'NO' });
    expect(await world.read(command.id)).toMatchObject({ state: 'pending', sentAt: null, answer: null });
  });
});

describe('an answer', () => {
  it('that names another command neither ends the one in flight nor lets the next one go', async () => {
    const { device, gateway } = await online();
    const [command, next] = [world.command(device.id, { once: true }), world.command(device.id)];
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await gateway.answer(line, device.id, { namesOther: true, text: 'S20,DONE' });
    expect((await world.read(command.id)).state).toBe('sent');
    await ageInFlight(world, device.id);
    await gateway.clock();
    await engine.sweep();
    await engine.enqueue(next);
    await gateway.answer(line, device.id, { namesOther: true, text: 'S20,DONE' });
    expect(gateway.deliveries().length).toBe(1);
    await gateway.answer(line, device.id, { text: 'S71,DONE' });
    expect(await world.read(command.id)).toMatchObject({ state: 'acknowledged', answer: 'S71,DONE' });
    expect((await gateway.delivered(2)).commandId).toBe(next.id);
  });
});

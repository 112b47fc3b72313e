import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DispatchEngine } from '../../../src/server/commands/dispatch/engine.ts';
import {
  ageInFlight,
  answerEvent,
  type DispatchWorld,
  FakeGateway,
  openOnline,
  openWorld,
  sentEvent,
} from './support.ts';

let world: DispatchWorld;
let engine: DispatchEngine;

beforeAll(async () => {
  world = await openWorld();
  engine = world.engine();
});
afterAll(() => world.close());

const online = (protocol?: string) => openOnline(world, engine, protocol);

describe('a command for a device online', () => {
  it('is acknowledged by an answer in the same batch without a search for late answers', async () => {
    const { device, gateway } = await online();
    const command = world.command(device.id);
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    const statements = await gateway.reportAll([sentEvent(line), answerEvent(line, { text: 'INFO:1' })], device.id);
    expect(await world.read(command.id)).toMatchObject({ state: 'acknowledged', answer: 'INFO:1', late: false });
    expect(statements).toContain('lock-concerned');
    expect(statements).not.toContain('lock-recently-sent');
  });

  it('is sent at once, and acknowledged by the answer', async () => {
    const { device, gateway, conn } = await online();
    const command = world.command(device.id);
    const ended = new Promise((resolve) => engine.onEnded(command.id, resolve));
    expect(await engine.enqueue(command)).toMatchObject({ type: 'queued', state: 'sending' });
    const line = await gateway.delivered(1);
    expect(line).toMatchObject({
      commandId: command.id,
      attempt: 1,
      imei: device.imei,
      conn,
      command: 'custom',
      params: { data: 'getinfo' },
    });
    expect((await world.read(command.id)).state).toBe('sending');
    await gateway.sent(line, device.id);
    expect(await world.read(command.id)).toMatchObject({ state: 'sent', attempts: 1 });
    await gateway.answer(line, device.id, { text: 'INFO:1' });
    expect(await ended).toMatchObject({ state: 'acknowledged' });
    expect(await world.read(command.id)).toMatchObject({
      state: 'acknowledged',
      answer: 'INFO:1',
      ackBy: 'device',
      late: false,
    });
  });

  it('waits for the preceding command; the order is priority, then age', async () => {
    const { device, gateway } = await online();
    const [first, second, urgent] = [
      world.command(device.id),
      world.command(device.id),
      world.command(device.id, { priority: 1 }),
    ];
    await engine.enqueue(first);
    await engine.enqueue(second);
    await engine.enqueue(urgent);
    for (const [place, expected] of [first, urgent, second].entries()) {
      const line = await gateway.delivered(place + 1);
      expect(line.commandId).toBe(expected.id);
      expect(gateway.deliveries().length).toBe(place + 1);
      await gateway.sent(line, device.id);
      await gateway.answer(line, device.id);
    }
  });

  it('that the device rejects fails, and the answer is stored', async () => {
    const { device, gateway } = await online('ticketed');
    const command = world.command(device.id);
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await gateway.answer(line, device.id, { ticket: line.ticket, outcome: 'refused', text: 'NO' });
    expect(await world.read(command.id)).toMatchObject({ state: 'failed', reason: 'refused-by-device', answer: 'NO' });
  });

  it('that the protocol cannot encode fails without being sent', async () => {
    const { device, gateway } = await online();
    const command = world.command(device.id);
    await engine.enqueue(command);
    const { commandId, attempt, imei, conn } = await gateway.delivered(1);
    await gateway.report(
      { type: 'not-sent', at: Date.now(), commandId, attempt, imei, conn, reason: 'no such', permanent: true },
      device.id,
    );
    expect(await world.read(command.id)).toMatchObject({
      state: 'failed',
      reason: 'unsupported-by-protocol',
      sentAt: null,
    });
  });
});

describe('a command for a device offline', () => {
  it('waits, and is sent when the device connects', async () => {
    const device = await world.device();
    const gateway = await new FakeGateway(world, engine).open();
    const command = world.command(device.id);
    await engine.enqueue(command);
    expect((await world.read(command.id)).state).toBe('pending');
    await gateway.connect(device);
    expect((await gateway.delivered(1)).commandId).toBe(command.id);
  });

  it('expires when its time is over', async () => {
    const device = await world.device();
    const command = world.command(device.id, { ttlMs: 1 });
    await engine.enqueue(command);
    await engine.sweep();
    // The first sweep may come within the millisecond.
    while ((await world.read(command.id)).state === 'pending') await engine.sweep();
    expect(await world.read(command.id)).toMatchObject({ state: 'expired', reason: 'time-to-live-over', attempts: 0 });
  });

  it('is refused when a hundred are open', async () => {
    const device = await world.device();
    const outcomes = await Promise.all(Array.from({ length: 101 }, () => engine.enqueue(world.command(device.id))));
    expect(outcomes.filter((o) => o.type === 'queued').length).toBe(100);
    expect(outcomes.at(-1)).toEqual({ type: 'device-queue-full' });
  });

  it('is a duplicate only if it has the same key', async () => {
    const device = await world.device();
    expect(await engine.enqueue(world.command(device.id, { dedupeKey: 'k' }))).toMatchObject({ type: 'queued' });
    expect(await engine.enqueue(world.command(device.id, { dedupeKey: 'k' }))).toEqual({ type: 'duplicate-pending' });
    expect(await engine.enqueue(world.command(device.id))).toMatchObject({ type: 'queued' });
  });
});

describe('a session that ends while a command is in flight', () => {
  it('returns commands that were not sent to pending', async () => {
    const { device, gateway, conn } = await online();
    const command = world.command(device.id, { once: true });
    await engine.enqueue(command);
    await gateway.delivered(1);
    await gateway.disconnect(device, conn);
    expect(await world.read(command.id)).toMatchObject({ state: 'pending', attempts: 0 });
    await gateway.connect(device);
    // a delivery of its own, although the attempt did not count
    expect(await gateway.delivered(2)).toMatchObject({ commandId: command.id, attempt: 2 });
    expect((await world.read(command.id)).attempts).toBe(1);
  });

  it('leaves the result of sent commands that are not repeatable unknown, and sends the others again', async () => {
    const { device, gateway, conn } = await online();
    const [once, again] = [world.command(device.id, { once: true }), world.command(device.id)];
    await engine.enqueue(once);
    await gateway.sent(await gateway.delivered(1), device.id);
    await gateway.disconnect(device, conn);
    expect(await world.read(once.id)).toMatchObject({ state: 'unknown', mayHaveExecuted: true });
    await engine.enqueue(again);
    const second = await gateway.connect(device);
    await gateway.sent(await gateway.delivered(2), device.id);
    await gateway.disconnect(device, second);
    await gateway.connect(device);
    expect(await gateway.delivered(3)).toMatchObject({ commandId: again.id, attempt: 2 });
  });

  it('by a crash of the gateway is evaluated after its spool has been delivered', async () => {
    const device = await world.device();
    const before = await new FakeGateway(world, engine, 'gw-dies').open();
    await before.connect(device);
    const command = world.command(device.id, { once: true });
    await engine.enqueue(command);
    const line = await before.delivered(1);
    // Its next run first delivers what the last one had written.
    const after = await new FakeGateway(world, engine, 'gw-dies').open();
    await after.sent(line, device.id);
    await after.report({ type: 'gateway-started', at: Date.now(), life: after.startId }, undefined);
    expect(await world.read(command.id)).toMatchObject({ state: 'unknown', mayHaveExecuted: true });
  });

  it('by a crash of the gateway in the batch that opens it: nothing is sent on it', async () => {
    const device = await world.device();
    const gateway = await new FakeGateway(world, engine).open();
    const command = world.command(device.id);
    await engine.enqueue(command);
    const { imei } = device;
    const conn = `${gateway.startId}.1`;
    const about = { at: Date.now(), imei, conn, protocol: 'ordered', transport: 'tcp' as const, remote: 'test' };
    await gateway.reportAll(
      [
        { type: 'session-opened', ids: [imei], ...about },
        { type: 'gateway-started', at: Date.now(), life: 'next' },
      ],
      device.id,
      async (tx) => {
        await tx.query(
          `insert into session (device_id, tenant_id, gateway, conn, protocol, open, since, changed_at, seen_at)
           values ($1, 1, $2, $3, 'ordered', true, now(), now(), now())`,
          [device.id, gateway.name, conn],
        );
      },
    );
    expect(gateway.deliveries()).toEqual([]);
    expect((await world.read(command.id)).state).toBe('pending');
  });

  it('by a crash of the gateway returns commands that are not in its spool to pending', async () => {
    const device = await world.device();
    const before = await new FakeGateway(world, engine, 'gw-dies-early').open();
    await before.connect(device);
    const command = world.command(device.id, { once: true });
    await engine.enqueue(command);
    await before.delivered(1);
    const after = await new FakeGateway(world, engine, 'gw-dies-early').open();
    await after.report({ type: 'gateway-started', at: Date.now(), life: after.startId }, undefined);
    expect(await world.read(command.id)).toMatchObject({ state: 'pending', attempts: 0 });
  });

  it('because the device has connected to another gateway: commands that are not repeatable stay unknown, the others are sent there', async () => {
    for (const once of [true, false]) {
      const { device, gateway } = await online();
      const command = world.command(device.id, { once });
      await engine.enqueue(command);
      await gateway.delivered(1);
      const other = await new FakeGateway(world, engine).open();
      await other.connect(device);
      if (once) expect(await world.read(command.id)).toMatchObject({ state: 'unknown', mayHaveExecuted: true });
      else expect(await other.delivered(1)).toMatchObject({ commandId: command.id, attempt: 2 });
    }
  });
});

describe('an answer', () => {
  it('with a ticket that is late still determines the result of the command', async () => {
    const { device, gateway, conn } = await online('ticketed');
    const [command, next] = [world.command(device.id, { once: true }), world.command(device.id)];
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await ageInFlight(world, device.id);
    await gateway.clock();
    await engine.sweep();
    expect(await world.read(command.id)).toMatchObject({ state: 'unknown', mayHaveExecuted: true });
    await engine.enqueue(next);
    expect(await gateway.delivered(2)).toMatchObject({ commandId: next.id, conn });
    await gateway.answer(line, device.id, { ticket: line.ticket, text: 'at last' });
    expect(await world.read(command.id)).toMatchObject({
      state: 'acknowledged',
      late: true,
      answer: 'at last',
      mayHaveExecuted: false,
    });
    expect((await world.read(next.id)).state).toBe('sending');
  });

  it('that is late in an in-order protocol blocks the connection, and is never matched to the next command', async () => {
    const { device, gateway } = await online();
    const [command, next] = [world.command(device.id, { once: true }), world.command(device.id)];
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await ageInFlight(world, device.id);
    await gateway.clock();
    await engine.sweep();
    await engine.enqueue(next);
    expect(gateway.deliveries().length).toBe(1);
    await gateway.answer(line, device.id, { text: 'at last' });
    expect(await world.read(command.id)).toMatchObject({ state: 'acknowledged', late: true });
    expect((await gateway.delivered(2)).commandId).toBe(next.id);
  });

  it('that arrives late closes the connection after the response timeout of its command', async () => {
    const { device, gateway, conn } = await online();
    const command = world.command(device.id, { once: true, answerMs: 600_000 });
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await ageInFlight(world, device.id);
    await gateway.clock();
    const closing = { type: 'close', conn, reason: 'the answer to a command never came' };
    const sweepAt = async (seconds: number): Promise<void> => {
      const text = `update session set held_until = held_until - $2 * interval '1 second' where device_id = $1`;
      await world.database.ingest.query(text, [device.id, seconds]);
      await engine.sweep();
    };
    await engine.sweep();
    expect((await world.read(command.id)).state).toBe('unknown');
    await sweepAt(500);
    expect(gateway.lines).not.toContainEqual(closing);
    await sweepAt(101);
    expect(gateway.lines).toContainEqual(closing);
  });

  it('without a command changes nothing', async () => {
    const { device, gateway } = await online();
    const command = world.command(device.id);
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await gateway.answer(line, device.id, { text: 'first' });
    await gateway.answer(line, device.id, { text: 'second' });
    expect(await world.read(command.id)).toMatchObject({ state: 'acknowledged', answer: 'first' });
  });
});

describe('a device that does not answer', () => {
  it('is not evaluated before the events of the gateway have been applied up to the answer time', async () => {
    const { device, gateway } = await online();
    const command = world.command(device.id);
    await engine.enqueue(command);
    await gateway.sent(await gateway.delivered(1), device.id);
    await ageInFlight(world, device.id);
    await gateway.clock(Date.now() - 2 * 3_600_000);
    await engine.sweep();
    expect((await world.read(command.id)).state).toBe('sent');
    await gateway.clock();
    await engine.sweep();
    expect((await world.read(command.id)).state).toBe('pending');
  });

  it('and sends no frame at all is disconnected, and the attempt counts', async () => {
    const { device, gateway, conn } = await online();
    const command = world.command(device.id);
    await engine.enqueue(command);
    await gateway.sent(await gateway.delivered(1), device.id);
    await ageInFlight(world, device.id, "sent_at - interval '1 second'");
    await gateway.clock();
    await engine.sweep();
    expect(gateway.lines).toContainEqual({ type: 'close', conn, reason: 'silent after a command' });
    expect(await world.read(command.id)).toMatchObject({ state: 'pending', attempts: 1 });
  });
});

describe('several API processes', () => {
  it('notify each other: a command stored by one is sent by the one that has the stream', async () => {
    const { device, gateway } = await online();
    const other = world.engine();
    engine.start();
    const command = world.command(device.id);
    await other.enqueue(command);
    expect((await gateway.delivered(1)).commandId).toBe(command.id);
  });

  it('announce ends: a client waits at any process', async () => {
    const { device, gateway } = await online();
    const other = world.engine();
    const command = world.command(device.id);
    const ended = new Promise((resolve) => other.onEnded(command.id, resolve));
    await engine.enqueue(command);
    const line = await gateway.delivered(1);
    await gateway.sent(line, device.id);
    await gateway.answer(line, device.id, { text: 'INFO:2' });
    expect(await ended).toMatchObject({ state: 'acknowledged', outcome: { answer: 'INFO:2' } });
  });

  it('close connections whose gateway another one has the stream of', async () => {
    const { device, gateway, conn } = await online();
    const other = world.engine();
    const requested = new Promise((resolve) => world.database.listener.on('fleetgate_gateway_request', resolve));
    await engine.enqueue(world.command(device.id));
    await gateway.sent(await gateway.delivered(1), device.id);
    await ageInFlight(world, device.id, "sent_at - interval '1 second'");
    await gateway.clock();
    await other.sweep();
    expect(JSON.parse((await requested) as string)).toEqual({
      gateway: gateway.name,
      line: { type: 'close', conn, reason: 'silent after a command' },
    });
  });

  it('repeat a delivery that the previous owner of the stream may have lost', async () => {
    const { device, gateway } = await online();
    await engine.enqueue(world.command(device.id));
    const line = await gateway.delivered(1);
    const successor = world.engine();
    gateway.engine = successor;
    await gateway.open();
    expect(await gateway.delivered(2)).toEqual(line);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands({ WEBHOOK_PRIVATE: false });
});
afterAll(() => world?.stop());

describe('a command that is queued', () => {
  test('is answered as the interface says, and found with its history', async () => {
    const imei = await world.device();
    const made = await world.enqueue({ imei, gprsCommand: 'getinfo' });
    expect(made).toMatchObject({ status: 200, body: { message: 'Command queued', status: 'pending' } });
    expect(Object.keys(made.body).sort()).toEqual(['commandId', 'expiresAt', 'message', 'status']);
    const found = await world.api.get(`/v1/gprsCommands/${made.body.commandId}`);
    const { createdAt, history, ...rest } = found.body;
    expect(rest).toEqual({
      commandId: made.body.commandId,
      imei,
      gprsCommand: 'getinfo',
      status: 'pending',
      priority: 5,
      delivery: 'at_least_once',
      expiresAt: made.body.expiresAt,
      sentAt: null,
      acknowledgedAt: null,
      attempts: 0,
      maxAttempts: 3,
      type: 'custom',
      attributes: { data: 'getinfo' },
      conditions: null,
      notBefore: null,
      ackBy: null,
      mayHaveExecuted: false,
      late: false,
      gatewayId: null,
      batchId: null,
      response: null,
      error: null,
      createdBy: 'key:API_KEY',
    });
    expect(Date.parse(made.body.expiresAt) - Date.parse(createdAt)).toBe(86_400_000);
    expect(history).toEqual([
      { at: expect.any(String), from: null, to: 'pending', reason: 'enqueued', actor: 'key:API_KEY' },
    ]);
  });

  test('keeps all that was said of it', async () => {
    const imei = await world.device();
    const notBefore = '2030-01-01T00:00:00.000Z';
    const ring = [
      [12, 41],
      [13, 41],
      [13, 42],
      [12, 41],
    ];
    const soon = Date.now() + 60_000;
    const made = await world.enqueue({
      imei,
      type: 'engineStop',
      ttlSeconds: 200,
      priority: 1,
      delivery: 'at_least_once',
      maxAttempts: 7,
      ackTimeoutSeconds: 5,
      conditions: { maxSpeed: 10, ignition: false, insidePolygon: ring },
      notBefore: soon,
    });
    expect(made.status).toBe(200);
    expect((await world.enqueue({ imei, gprsCommand: 'x', notBefore })).body.code).toBe('invalid');
    expect((await world.api.get(`/v1/gprsCommands/${made.body.commandId}`)).body).toMatchObject({
      gprsCommand: null,
      type: 'engineStop',
      attributes: {},
      priority: 1,
      delivery: 'at_least_once',
      maxAttempts: 7,
      conditions: { maxSpeed: 10, ignition: false, insidePolygon: ring },
      notBefore: new Date(soon).toISOString(),
    });
  });
});

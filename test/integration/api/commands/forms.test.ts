import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from './support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands();
});
afterAll(() => world?.stop());

const types = async (query: string) => (await world.api.get(`/v1/gprsCommands/types?${query}`)).body;
const check = async (body: object, headers = {}) =>
  (await world.api.send('POST', '/v1/gprsCommands/check', body, headers)).body;

async function group(name: string, imeis: readonly string[]): Promise<void> {
  await world.api.send('POST', '/v1/groups', { name });
  for (const [n, imei] of imeis.entries()) {
    const targa = `${name.toUpperCase()}${n}`;
    await world.api.send('POST', '/v1/vehicles', { targa, group: name });
    const made = await world.api.send('POST', '/v1/pairings', { targa, imei, from: '2026-01-01T00:00:00Z' });
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  }
}

describe('the commands that a device takes', () => {
  test('are those of its protocol, with their parameters', async () => {
    const { devices, items } = await types(`imei=${await world.device({ protocol: 'teltonika' })}`);
    expect(devices).toBe(1);
    const find = (type: string) => items.find((each: { type: string }) => each.type === type);
    expect(find('outputControl')).toEqual({
      type: 'outputControl',
      title: 'Set an output',
      parameters: [
        { name: 'index', type: 'number', title: expect.any(String), required: true },
        { name: 'data', type: 'number', title: '1 on, 0 off', required: true },
        { name: 'seconds', type: 'number', title: expect.any(String), required: false },
      ],
      repeatable: false,
      endsSession: false,
      devices: 1,
    });
    expect(find('rebootDevice')).toMatchObject({ parameters: [], endsSession: true });
    expect(find('getVersion')).toMatchObject({ repeatable: true });
    expect(find('sosNumber')).toBeUndefined();
  });

  test('are not known as long as its protocol is not, and of an unknown device there are none', async () => {
    expect(await types(`imei=${await world.device()}`)).toEqual({ devices: 1, items: [] });
    expect(await types('imei=nobody')).toMatchObject({ status: 404, code: 'unknown-device' });
    expect(await types('group=nobody')).toMatchObject({ status: 404, code: 'unknown-group' });
    expect((await types('')).code).toBe('invalid');
    expect((await types('imei=1&group=x')).code).toBe('invalid');
  });

  test('of a group are counted by device', async () => {
    const imeis = [
      await world.device({ protocol: 'teltonika' }),
      await world.device({ protocol: 'teltonika' }),
      await world.device({ protocol: 'gt06' }),
      await world.device(),
    ];
    await group('mixed', imeis);
    const { devices, items } = await types('group=mixed');
    expect(devices).toBe(4);
    const counts = Object.fromEntries(
      items.map((each: { type: string; devices: number }) => [each.type, each.devices]),
    );
    expect(counts).toMatchObject({ engineStop: 3, getVersion: 2, custom: 3 });
  });
});

describe('a command that is checked', () => {
  test('is queued nowhere, and is answered as queueing it would be', async () => {
    const imeis = [await world.device({ protocol: 'teltonika' }), await world.device({ protocol: 'h02' }), 'nobody'];
    const before = await world.commands();
    const body = { imeis, type: 'getVersion' };
    const checked = await check(body);
    expect(await world.commands()).toBe(before);
    expect(checked).toMatchObject({ devices: 3, accepted: 1, privileged: 0 });
    const codes = (list: { imei: string; code: string }[]) => list.map(({ imei, code }) => [imei, code]);
    expect(codes(checked.refused)).toEqual([
      [imeis[1], 'unsupported-by-protocol'],
      ['nobody', 'unknown-device'],
    ]);
    const batch = (await world.api.send('POST', '/v1/gprsCommands/batch', { ...body, imeis: imeis.slice(0, 2) })).body;
    expect(batch.commands[0].commandId).toBeDefined();
    expect(batch.commands[1].problem.code).toBe('unsupported-by-protocol');
  });

  test('is privileged by its type, its text, and the patterns of the tenant, whoever asks', async () => {
    const imei = await world.device({ protocol: 'teltonika' });
    const reader = await world.key(['commands:read']);
    const privileged = async (command: object) => (await check({ imeis: [imei], ...command }, reader)).privileged;
    expect(await privileged({ type: 'engineStop' })).toBe(1);
    expect(await privileged({ gprsCommand: 'cpureset' })).toBe(1);
    expect(await privileged({ gprsCommand: 'getver' })).toBe(0);
    await world.api.send('PUT', '/v1/gprsCommands/settings', { dangerousCommands: ['getv*'] });
    expect(await privileged({ gprsCommand: 'getver' })).toBe(1);
    await world.api.send('PUT', '/v1/gprsCommands/settings', {});
  });

  test('names what is wrong with its parameters', async () => {
    const imei = await world.device({ protocol: 'teltonika' });
    const { refused } = await check({ imeis: [imei], type: 'outputControl', attributes: { index: 1, data: 7 } });
    expect(refused).toEqual([{ imei, code: 'bad-parameters', detail: 'data is no whole number from 0 to 1' }]);
    expect((await check({ imeis: [imei] })).code).toBe('invalid');
    expect((await check({ gprsCommand: 'x' })).code).toBe('invalid');
  });
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type System, startSystem } from '../support/system.ts';

const { imei: TELTONIKA, frames: DRIVE } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'frames', 'teltonika-states.json'), 'utf8'),
) as { readonly imei: string; readonly frames: readonly string[] };
const GT06 = '356307042441013';
/** GT06 protocol document 1.8.1: a login, a heartbeat with the charger connected, and 5.4.1, which has no charger */
const PLUGGED = ['78780d0103563070424410130001d4a90d0a', '78780a13460604000200009be60d0a'];
const UNPLUGGED = '78780a134004040001000fdcee0d0a';

/** Rules on the drive, and the times of day at which each notifies. */
const RULES: readonly (readonly [type: string, params: object, times: readonly string[]])[] = [
  ['ignition_on', {}, ['06:05:00']],
  ['ignition_off', {}, ['06:20:00']],
  ['idling', {}, ['06:11:00']],
  ['long_stop', { dwellSeconds: 900 }, ['06:20:00']],
  ['power_cut', {}, ['06:37:00']],
  ['low_battery', {}, ['06:40:00']],
  ['temperature', { minTemperature: 2, maxTemperature: 8 }, ['06:43:00']],
  ['door', {}, ['06:46:00']],
  ['tow', {}, ['06:50:00']],
];

interface Message {
  readonly type: string;
  readonly imei: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly value: number | null;
  readonly unit: string | null;
}

describe('states in frames that another project has encoded', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: 'a password of some length' });
    await send('POST', '/v1/devices', { imei: TELTONIKA, options: { model: 'FMB920' } });
    await send('POST', '/v1/devices', { imei: GT06 });
  });
  afterAll(() => system?.stop());

  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${system.apiPort}${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  };
  const watch = (type: string, imei: string, params: object): Promise<void> =>
    send('PUT', '/v1/v1/notifications', { notification_data: { type, params, vehicles: [imei], users: ['admin'] } });
  const messages = async (imei: string): Promise<Message[]> => {
    const { items } = await system.get<{ items: Message[] }>('/v1/notifications/admin?limit=500');
    return items.filter((one) => one.imei === imei);
  };
  const open = async (): Promise<Socket> => {
    const socket = connect(system.devicePort, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  /** Sends a frame and waits for an answer of so many bytes: what it contains is stored then. */
  const exchange = async (socket: Socket, frame: Uint8Array, bytes: number): Promise<string> => {
    let answer = Buffer.alloc(0);
    socket.write(frame);
    while (answer.length < bytes) answer = Buffer.concat([answer, (await once(socket, 'data'))[0] as Buffer]);
    return answer.toString('hex');
  };
  const login = Buffer.concat([Buffer.from([0, TELTONIKA.length]), Buffer.from(TELTONIKA, 'latin1')]);

  it('are notified by the rule of each type, once, at the time of the state', { timeout: 300_000 }, async () => {
    for (const [type, params] of RULES) await watch(type, TELTONIKA, params);
    const socket = await open();
    expect(await exchange(socket, login, 1)).toBe('01');
    for (const frame of DRIVE) expect(await exchange(socket, Buffer.from(frame, 'hex'), 4)).toBe('00000008');
    socket.destroy();
    await vi.waitFor(
      async () => {
        const found = (await messages(TELTONIKA)).map(({ type, occurredAt, kind }) => `${kind} ${type} ${occurredAt}`);
        const expected = RULES.flatMap(([type, , times]) => times.map((time) => `alarm ${type} 2025-06-02T${time}Z`));
        expect(found.sort()).toEqual(expected.sort());
      },
      { timeout: 60_000, interval: 500 },
    );
    const amounts = Object.fromEntries(
      (await messages(TELTONIKA)).map(({ type, value, unit }) => [type, [value, unit]]),
    );
    expect(amounts).toMatchObject({ power_cut: [0, 'V'], low_battery: [15, '%'], temperature: [9.5, '°C'] });
  });

  it('are notified if the charger of a device is unplugged, and if the device falls silent', {
    timeout: 300_000,
  }, async () => {
    await watch('unplugged', GT06, {});
    await watch('device_offline', GT06, { offlineSeconds: 60 });
    const socket = await open();
    for (const frame of PLUGGED) await exchange(socket, Buffer.from(frame, 'hex'), 10);
    expect(await messages(GT06)).toEqual([]);
    await exchange(socket, Buffer.from(UNPLUGGED, 'hex'), 10);
    const lastSeen = Date.now();
    const types = async () => (await messages(GT06)).map(({ type }) => type);
    await vi.waitFor(async () => expect(await types()).toEqual(['unplugged']), { timeout: 60_000, interval: 500 });
    // it stays connected and says nothing: silence lasts a minute, and is looked for each half a minute
    await vi.waitFor(async () => expect(await types()).toEqual(['device_offline', 'unplugged']), {
      timeout: 240_000,
      interval: 1_000,
    });
    const [offline] = await messages(GT06);
    expect(Math.abs(Date.parse(offline!.occurredAt) - lastSeen - 60_000)).toBeLessThan(60_000);
    socket.destroy();
  });
});

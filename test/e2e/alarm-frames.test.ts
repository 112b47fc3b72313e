import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadFixtures, wireBytes } from '../support/fixtures.ts';
import { type System, startSystem } from '../support/system.ts';

const GT06 = '356307042441013';
const QUECLINK = '135790246811220';
const LOGIN = '78780d0103563070424410130001d4a90d0a';
/** Alarms of the vocabulary, and the type of rule that notifies each. */
const TYPES: Readonly<Record<string, string>> = {
  sos: 'sos',
  accident: 'accident',
  jamming: 'jamming',
  tampering: 'tampering',
  gpsAntennaCut: 'tampering',
  hardBraking: 'harsh_braking',
  hardAcceleration: 'harsh_acceleration',
  hardCornering: 'harsh_cornering',
  powerCut: 'power_cut',
  powerOff: 'power_cut',
  lowBattery: 'low_battery',
  removing: 'unplugged',
  temperature: 'temperature',
  door: 'door',
  idle: 'idling',
  tow: 'tow',
};

interface Message {
  readonly type: string;
  readonly imei: string;
  readonly kind: string;
}

/** Frames of fixtures as a device sends them, and the alarms that they contain. */
function framesOf(protocol: string, isWanted: (name: string) => boolean) {
  const frames = loadFixtures(protocol)
    .filter(({ name, fixture }) => isWanted(name) && fixture.transport === 'tcp' && fixture.options === undefined)
    .flatMap(({ fixture }) => fixture.frames ?? []);
  const alarms = frames.flatMap(({ messages = [] }) =>
    (messages as { attributes?: { alarm?: string } }[]).flatMap(
      ({ attributes }) => attributes?.alarm?.split(',') ?? [],
    ),
  );
  return {
    wires: frames.map(({ wire }) => wireBytes(wire)),
    types: new Set(alarms.flatMap((name) => TYPES[name] ?? [])),
  };
}

describe('frames of devices', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: 'a password of some length' });
    for (const imei of [GT06, QUECLINK]) await send('POST', '/v1/devices', { imei });
  });
  afterAll(() => system?.stop());

  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${system.apiPort}${path}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  };
  const watch = (type: string, imei: string, params: object = {}): Promise<void> =>
    send('PUT', '/v1/v1/notifications', { notification_data: { type, params, vehicles: [imei], users: ['admin'] } });
  const messages = async (imei: string): Promise<Message[]> => {
    const { items } = await system.get<{ items: Message[] }>('/v1/notifications/admin?limit=500');
    return items.filter((one) => one.imei === imei && one.kind === 'alarm');
  };
  const untilNotified = (imei: string, types: Iterable<string>): Promise<void> =>
    vi.waitFor(
      async () => {
        const found = new Set((await messages(imei)).map(({ type }) => type));
        expect([...found].sort()).toEqual([...types].sort());
      },
      { timeout: 60_000, interval: 500 },
    );
  const stream = async (wires: readonly Uint8Array[]): Promise<void> => {
    const socket = connect(system.devicePort, '127.0.0.1');
    await once(socket, 'connect');
    // answers are not looked at: they have tests of their own
    socket.resume();
    socket.end(Buffer.concat(wires));
    await once(socket, 'close');
  };

  it.each([
    ['gt06', GT06, (name: string) => /^alarm-codes-[1-4]\.json$/.test(name), [Buffer.from(LOGIN, 'hex')]],
    ['gl200text', QUECLINK, (name: string) => name.startsWith('generic-alarms-'), []],
  ] as const)('of %s with alarms are notified by the rule of each type', async (protocol, imei, isWanted, first) => {
    const { wires, types } = framesOf(protocol, isWanted);
    expect(types.size).toBeGreaterThan(3);
    for (const type of types) await watch(type, imei, type === 'temperature' ? { maxTemperature: 1_000 } : {});
    await stream([...first, ...wires]);
    await untilNotified(imei, types);
  });
});

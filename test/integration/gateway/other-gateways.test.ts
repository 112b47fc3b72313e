import { afterEach, describe, expect, it } from 'vitest';
import type { SessionRegistry } from '../../../src/gateway/index.ts';
import { Journey } from '../../../src/simulation/index.ts';
import { example } from '../../conformance/example-protocol.ts';
import { Client, count, IMEI, type Running, startGateway } from './support.ts';

const { simulator } = example;
const ADMITTED_BYTES = 7;
const login = () => simulator.login!(IMEI, 1);
const report = () => simulator.report(new Journey(1, Date.UTC(2026, 10, 20)).take(1), IMEI, 1);
type Session = Awaited<ReturnType<SessionRegistry['find']>>[number];
const OTHER: Session = { imei: IMEI, transport: 'tcp', remote: '203.0.113.7:4711', silentMs: 0 };

let running: Running | undefined;
afterEach(async () => {
  await running?.gateway.close(1000);
  running = undefined;
});

/** A gateway beside others; `find` answers for them. */
async function start(takeover: string, find: SessionRegistry['find']): Promise<Running & { queries: string[] }> {
  const queries: string[] = [];
  const registry: SessionRegistry = {
    find(list) {
      queries.push(...list.map(({ imei }) => imei));
      return find(list);
    },
  };
  running = await startGateway({ autoRegister: false, registry });
  running.gateway.apply({ type: 'devices', devices: [{ imei: IMEI, options: { takeover } }] });
  running.gateway.apply({ type: 'devices-end' });
  return { ...running, queries };
}

async function logIn(port: number): Promise<{ client: Client; answer: string }> {
  const client = await Client.open(port);
  client.send(login());
  return { client, answer: (await client.take(ADMITTED_BYTES)).slice(6, 10) };
}

describe('a device with a session on another gateway', () => {
  it('is refused here while that session answers, and admitted when it has been silent', async () => {
    let silentMs = 0;
    const { port, recorder } = await start('oldest', async () => [{ ...OTHER, silentMs }]);
    expect((await logIn(port)).answer).toBe('8100');
    expect(recorder.list()).toMatchObject([{ type: 'login-refused', reason: 'takeover' }]);
    await running!.gateway.close(1000);
    silentMs = 300_001;
    const again = await start('oldest', async () => [{ ...OTHER, silentMs }]);
    expect((await logIn(again.port)).answer).toBe('8101');
  });

  it('is not prevented by datagrams', async () => {
    const { port } = await start('oldest', async () => [{ ...OTHER, transport: 'udp' }]);
    expect((await logIn(port)).answer).toBe('8101');
  });

  it('is admitted if nobody knows of the other gateways', async () => {
    const { port } = await start('oldest', async () => {
      throw new Error('the API is away');
    });
    expect((await logIn(port)).answer).toBe('8101');
  });

  it('is admitted without a question if the newest connection wins', async () => {
    const { port, queries } = await start('newest', async () => [OTHER]);
    expect((await logIn(port)).answer).toBe('8101');
    expect(queries).toEqual([]);
  });

  it('loses it to the other gateway when the API reports so, with an alarm', async () => {
    const { port, recorder, gateway } = await start('newest', async () => []);
    const { client } = await logIn(port);
    const { conn } = recorder.list().find(({ type }) => type === 'session-opened') as { conn: string };
    const by = { conn: 'other.1', protocol: 'example', remote: OTHER.remote };
    gateway.apply({ type: 'taken-over', imei: IMEI, conn, by: { ...by, transport: 'udp' } });
    gateway.apply({ type: 'taken-over', imei: IMEI, conn: 'earlier.1', by: { ...by, transport: 'tcp' } });
    expect(gateway.onlineDevices).toBe(1);
    gateway.apply({ type: 'taken-over', imei: IMEI, conn, by: { ...by, transport: 'tcp' } });
    await client.closed;
    expect(gateway.onlineDevices).toBe(0);
    expect(recorder.list().filter(({ type }) => type === 'session-taken-over')).toMatchObject([
      { conn: 'other.1', remote: OTHER.remote, previous: { conn } },
    ]);
  });
});

describe('a connection that ends before the answer about other gateways', () => {
  for (const [title, others, types] of [
    ['opens no session if it is refused', [OTHER], ['login-refused']],
    [
      'is stored and leaves no session if it is admitted',
      [],
      ['session-opened', 'frame', 'frame', 'position', 'session-closed'],
    ],
  ] as const) {
    it(title, async () => {
      const answer: { give?: () => void } = {};
      const asked = new Promise<void>((resolve) => {
        void start(
          'oldest',
          () =>
            new Promise((give) => {
              answer.give = () => give([...others]);
              resolve();
            }),
        ).then(async ({ port }) => {
          const client = await Client.open(port);
          client.send(Buffer.concat([login(), report()]));
          client.socket.end();
        });
      });
      await asked;
      await expect.poll(() => running!.gateway.connections, { timeout: 60_000 }).toBe(0);
      answer.give!();
      const { recorder, gateway } = running!;
      const last = types.at(-1)!;
      await recorder.until((list) => count(list, last) > 0);
      expect(recorder.list().map((r) => (r['kind'] === 'position' ? 'position' : r['type']))).toEqual(
        expect.arrayContaining([...new Set(types)]),
      );
      expect(count(recorder.list(), 'session-opened')).toBe(others.length === 0 ? 1 : 0);
      expect(gateway.onlineDevices).toBe(0);
    });
  }
});

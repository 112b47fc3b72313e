import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import wialon from '../../../protocols/wialon/index.ts';
import { OPEN_POLICY } from '../../../src/gateway/sessions/device-policy.ts';
import { Journey } from '../../../src/simulation/index.ts';
import { example } from '../../conformance/example-protocol.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { Client, count, IMEI, type Running, startGateway } from './support.ts';

const { simulator } = example;
const ADMITTED_BYTES = 7;
const OTHER_IMEI = '356307042441014';
const login = (id = IMEI) => simulator.login!(id, 1);
const report = (id = IMEI) => simulator.report(new Journey(1, Date.UTC(2026, 10, 20)).take(1), id, 1);
const OFFICE = 'PROXY TCP4 10.20.0.7 10.0.0.1 4711 5300\r\n';
const ELSEWHERE = 'PROXY TCP4 203.0.113.7 10.0.0.1 4711 5300\r\n';

let running: Running | undefined;
const start = async (...args: Parameters<typeof startGateway>): Promise<Running> => {
  running = await startGateway(...args);
  return running;
};
afterEach(async () => {
  await running?.gateway.close(1000);
  running = undefined;
});

/** A closed installation that has these devices. */
async function startWith(
  devices: readonly { imei: string; protocol?: string; options?: Record<string, string | boolean> }[],
  settings: Parameters<typeof startGateway>[0] = {},
): Promise<Running> {
  const started = await start({ autoRegister: false, ...settings });
  started.gateway.apply({ type: 'devices', devices });
  started.gateway.apply({ type: 'devices-end' });
  return started;
}

/** Logs in from an address that a balancer names; `8101` admits, `8100` refuses, '' is no answer at all. */
async function loginFrom(port: number, header: string, id = IMEI): Promise<{ client: Client; answer: string }> {
  const client = await Client.open(port);
  client.send(Buffer.concat([Buffer.from(header), login(id)]));
  const answer = await Promise.race([client.take(ADMITTED_BYTES), client.closed.then(() => '')]);
  return { client, answer: answer.slice(6, 10) };
}

const reasons = (recorder: Running['recorder']): unknown[] =>
  recorder
    .list()
    .filter(({ type }) => type === 'login-refused')
    .map(({ reason }) => reason);

describe('the network of a device', () => {
  it('is checked if the device has one: from other networks it is refused and its owner notified', async () => {
    const devices = [{ imei: IMEI, options: { networks: '10.20.0.0/16, 2001:db8::/32' } }, { imei: OTHER_IMEI }];
    const { port, recorder } = await startWith(devices, { proxyProtocol: true });
    expect((await loginFrom(port, ELSEWHERE)).answer).toBe('8100');
    expect(reasons(recorder)).toEqual(['network']);
    expect((await loginFrom(port, OFFICE)).answer).toBe('8101');
    const v6 = 'PROXY TCP6 2001:db8::7 2001:db8::1 4711 5300\r\n';
    expect((await loginFrom(port, v6)).answer).toBe('8101');
    expect((await loginFrom(port, ELSEWHERE, OTHER_IMEI)).answer).toBe('8101');
  });

  it('is that of the installation if the device has none', async () => {
    const devicePolicy = { ...OPEN_POLICY, networks: '10.0.0.0/8' };
    const devices = [{ imei: IMEI }, { imei: OTHER_IMEI, options: { networks: '' } }];
    const { port } = await startWith(devices, { proxyProtocol: true, devicePolicy });
    expect((await loginFrom(port, ELSEWHERE)).answer).toBe('8100');
    expect((await loginFrom(port, OFFICE)).answer).toBe('8101');
    expect((await loginFrom(port, ELSEWHERE, OTHER_IMEI)).answer).toBe('8101');
  });
});

describe('the protocol of a device', () => {
  it('is that of its first session if it is pinned', async () => {
    const devices = [
      { imei: IMEI, protocol: 'wialon' },
      { imei: OTHER_IMEI, protocol: 'wialon', options: { pinProtocol: false } },
    ];
    const { port, recorder } = await startWith(devices, {
      protocols: [wialon, example as StreamProtocol],
      devicePolicy: { ...OPEN_POLICY, pinProtocol: true },
    });
    expect((await loginFrom(port, '')).answer).toBe('8100');
    expect(reasons(recorder)).toEqual(['protocol']);
    expect((await loginFrom(port, '', OTHER_IMEI)).answer).toBe('8101');
    const client = await Client.open(port);
    client.send(Buffer.from(`#L#${IMEI};NA\r\n`));
    expect(Buffer.from(await client.take(7), 'hex').toString()).toBe('#AL#1\r\n');
  });
});

describe('the password of a device', () => {
  it('is required at its login, also of protocols that have none', async () => {
    const devices = [{ imei: IMEI, options: { loginPassword: 'sesame' } }];
    const { port, recorder } = await startWith(devices, { protocols: [wialon, example as StreamProtocol] });
    for (const [body, answer] of [
      [`${IMEI};open`, '#AL#0'],
      [`${IMEI};NA`, '#AL#0'],
      [`${IMEI};sesame`, '#AL#1'],
      [`2.0;${IMEI};sesame`, '#AL#1'],
    ]) {
      const client = await Client.open(port);
      client.send(Buffer.from(`#L#${body}\r\n`));
      expect(Buffer.from(await client.take(7), 'hex').toString(), body).toBe(`${answer}\r\n`);
      client.socket.destroy();
      await client.closed;
    }
    expect((await loginFrom(port, '')).answer).toBe('8100');
    expect(reasons(recorder)[0]).toBe('password');
  });
});

describe('another connection that uses the id of a device', () => {
  const policy = (takeover: 'newest' | 'oldest' | 'same-network', takeoverSilenceMs = 300_000) => ({
    proxyProtocol: true,
    devicePolicy: { ...OPEN_POLICY, takeover, takeoverSilenceMs },
  });

  it('takes the session over by default, with an alarm', async () => {
    const { port, recorder } = await startWith([{ imei: IMEI }], { proxyProtocol: true });
    const older = await loginFrom(port, OFFICE);
    const newer = await loginFrom(port, ELSEWHERE);
    expect(newer.answer).toBe('8101');
    await older.client.closed;
    expect(recorder.list().filter(({ type }) => type === 'session-taken-over')).toMatchObject([
      { imei: IMEI, remote: '203.0.113.7:4711', previous: { remote: '10.20.0.7:4711', protocol: 'example' } },
    ]);
  });

  it('is refused while the older session answers, if `oldest` is set', async () => {
    const { port, recorder, gateway } = await startWith([{ imei: IMEI }], policy('oldest'));
    const older = await loginFrom(port, OFFICE);
    expect((await loginFrom(port, OFFICE)).answer).toBe('8100');
    expect(reasons(recorder)).toEqual(['takeover']);
    older.client.send(report());
    await older.client.take(7);
    expect(gateway.onlineDevices).toBe(1);
  });

  it('takes over from a session that has been silent for too long', async () => {
    const { port } = await startWith([{ imei: IMEI }], policy('oldest', -1));
    const older = await loginFrom(port, OFFICE);
    expect((await loginFrom(port, ELSEWHERE)).answer).toBe('8101');
    await older.client.closed;
  });

  it('is refused from another network if the device requires it', async () => {
    const devices = [{ imei: IMEI, options: { takeover: 'same-network' } }];
    const { port, recorder } = await startWith(devices, { proxyProtocol: true });
    const older = await loginFrom(port, OFFICE);
    expect((await loginFrom(port, ELSEWHERE)).answer).toBe('8100');
    expect(reasons(recorder)).toEqual(['takeover']);
    expect((await loginFrom(port, OFFICE.replace('10.20.0.7', '10.20.0.200'))).answer).toBe('8101');
    await older.client.closed;
  });
});

describe('a datagram with the id of a device that has a TCP session', () => {
  it('is stored, and neither ends the session nor gets its commands', async () => {
    const { gateway, port, recorder } = await start();
    const device = await Client.open(port);
    device.send(login());
    await device.take(ADMITTED_BYTES);
    const { conn } = recorder.list().find(({ type }) => type === 'session-opened') as { conn: string };
    const udp = gateway.openPorts.find(({ transport }) => transport === 'udp')!;
    const socket = createSocket('udp4');
    socket.connect(udp.port, '127.0.0.1');
    await once(socket, 'connect');
    const datagrams: string[] = [];
    socket.on('message', (bytes) => datagrams.push(bytes.toString('hex').slice(6, 10)));
    socket.send(login());
    await once(socket, 'message');
    socket.send(report());
    await once(socket, 'message');
    expect(datagrams).toEqual(['8101', '8201']);
    expect(count(recorder.list(), 'position')).toBe(1);
    expect([...gateway.online()]).toMatchObject([{ imei: IMEI, transport: 'tcp', conn }]);
    expect(recorder.list().some(({ type }) => type === 'session-closed' || type === 'session-taken-over')).toBe(false);
    gateway.apply({
      type: 'deliver',
      commandId: 'cmd_1',
      attempt: 1,
      imei: IMEI,
      conn,
      command: 'custom',
      params: { data: 'status' },
      ticket: '1',
    });
    await once(device.socket, 'received');
    expect(datagrams).toHaveLength(2);
    socket.close();
  });
});

describe('login attempts', () => {
  it('of one address are limited by the number of ids, and then no id is answered', async () => {
    const devices = [{ imei: IMEI }, { imei: OTHER_IMEI, options: { networks: '203.0.113.0/24' } }];
    const { port, recorder } = await startWith(devices, { proxyProtocol: true, loginAttemptsPerAddress: 2 });
    expect((await loginFrom(port, ELSEWHERE, '356307042441000')).answer).toBe('8100');
    // an id that is tried again counts once
    expect((await loginFrom(port, ELSEWHERE, '356307042441000')).answer).toBe('8100');
    expect((await loginFrom(port, ELSEWHERE, '356307042441001')).answer).toBe('8100');
    expect((await loginFrom(port, ELSEWHERE, '356307042441002')).answer).toBe('');
    expect((await loginFrom(port, ELSEWHERE, IMEI)).answer).toBe('');
    // a device whose own network this is, and other addresses, are not concerned
    expect((await loginFrom(port, ELSEWHERE, OTHER_IMEI)).answer).toBe('8101');
    expect((await loginFrom(port, OFFICE, IMEI)).answer).toBe('8101');
    expect(count(recorder.list(), 'knock')).toBe(2);
  });
});

describe('the certificate of the device ports', () => {
  it('is replaced when its files change; open connections go on', async () => {
    const certificates = makeCertificates();
    const folder = mkdtempSync(join(tmpdir(), 'fleetgate-device-tls-'));
    const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
    const use = (pair: { cert: string; key: string }): void => {
      copyFileSync(pair.cert, files.cert);
      copyFileSync(pair.key, files.key);
    };
    use(certificates.server);
    const { port } = await startWith([{ imei: IMEI }], { tls: { ...files, checkEveryMs: 10 } });
    const open = async (): Promise<{ client: Client; serial: string }> => {
      const secure = connectTls({ port, host: '127.0.0.1', ca: certificates.ca, servername: 'localhost' });
      await once(secure, 'secureConnect');
      return { client: new Client(secure), serial: secure.getPeerCertificate().serialNumber };
    };
    const before = await open();
    use(certificates.another());
    await expect.poll(async () => (await open()).serial, { timeout: 60_000 }).not.toBe(before.serial);
    before.client.send(login(IMEI));
    expect((await before.client.take(ADMITTED_BYTES)).slice(6, 10)).toBe('8101');
    certificates.remove();
    rmSync(folder, { recursive: true });
  }, 30_000);
});

describe('the certificate of a device', () => {
  let certificates: Certificates;
  beforeAll(() => {
    certificates = makeCertificates();
  });
  afterAll(() => certificates.remove());

  async function loginWith(port: number, subject: string, id = IMEI, from = certificates): Promise<string> {
    const secure = connectTls({
      port,
      host: '127.0.0.1',
      ca: certificates.ca,
      servername: 'localhost',
      ...(subject === '' ? {} : from.device(subject)),
    });
    const client = new Client(secure);
    client.send(login(id));
    // the server ends a handshake that it refuses with an alert
    const taken = client.take(ADMITTED_BYTES).catch(() => '');
    const answer = await Promise.race([taken, client.closed.then(() => '')]);
    secure.destroy();
    return answer.slice(6, 10);
  }

  it('determines its id: no other id and no connection without certificate is accepted', async () => {
    const { port, recorder } = await startWith([{ imei: IMEI }, { imei: OTHER_IMEI }], {
      tls: { ...certificates.server, clientCa: certificates.caFile },
    });
    expect(await loginWith(port, `/O=Fleet/CN=${IMEI}`)).toBe('8101');
    expect(await loginWith(port, `/CN=tracker/serialNumber=${IMEI}`)).toBe('8101');
    expect(await loginWith(port, `/CN=${IMEI}`, OTHER_IMEI)).toBe('8100');
    expect(reasons(recorder)).toEqual(['certificate']);
    expect(await loginWith(port, '')).toBe('');
    const foreign = makeCertificates();
    expect(await loginWith(port, `/CN=${IMEI}`, IMEI, foreign)).toBe('');
    foreign.remove();
  }, 30_000);

  it('is required of a device whose option says so, on a port that has others', async () => {
    const devices = [{ imei: IMEI, options: { requireCertificate: true } }, { imei: OTHER_IMEI }];
    const { port, recorder } = await startWith(devices, {
      tls: { ...certificates.server, clientCa: certificates.caFile },
    });
    expect((await loginFrom(port, '')).answer).toBe('8100');
    expect((await loginFrom(port, '', OTHER_IMEI)).answer).toBe('8101');
    expect(reasons(recorder)).toEqual(['certificate']);
    expect(await loginWith(port, `/CN=${IMEI}`)).toBe('8101');
  }, 30_000);
});

import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { toHex } from '#codec';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { Journey } from '../../../src/simulation/index.ts';
import { example } from '../../conformance/example-protocol.ts';
import { Client, count, IMEI, LIMITS, type Running, startGateway } from './support.ts';

const { simulator } = example;
const h02 = (await loadCatalogue()).streams.find(({ id }) => id === 'h02')!;
const login = (id = IMEI) => simulator.login!(id, 1);
const report = (fixes: number) => simulator.report(new Journey(1, Date.UTC(2026, 10, 20)).take(fixes), IMEI, 1);
/** replies of the example protocol, with their checksums as its encoder makes them */
const ADMITTED_BYTES = 7;
const STORED_BYTES = 7;

let running: Running | undefined;
const start = async (...args: Parameters<typeof startGateway>): Promise<Running> => {
  running = await startGateway(...args);
  return running;
};

afterEach(async () => {
  running?.gateway.stopAccepting();
  running?.recorder.release();
  await running?.gateway.close(1000);
  running = undefined;
});

describe('a TCP device', () => {
  it('is acknowledged when its records are stored, and not before', async () => {
    const { port, recorder } = await start();
    const device = await Client.open(port);
    device.send(login());
    expect((await device.take(ADMITTED_BYTES)).slice(6, 10)).toBe('8101');
    recorder.isOpen = false;
    device.send(report(3));
    const list = await recorder.until((l) => count(l, 'position') === 3);
    expect(count(list, 'frame')).toBe(2);
    expect(list.at(-1)).toMatchObject({
      deviceId: IMEI,
      protocol: 'example',
      valid: true,
      latitude: expect.any(Number),
    });
    // Another round trip on the same connection shows that nothing was sent meanwhile.
    expect(device.received.length).toBe(0);
    recorder.release();
    expect((await device.take(STORED_BYTES)).slice(6, 10)).toBe('8203');
  });

  it('is not acknowledged and loses its connection when its records could not be stored', async () => {
    const { port, recorder } = await start();
    const device = await Client.open(port);
    device.send(login());
    await device.take(ADMITTED_BYTES);
    recorder.isOpen = false;
    device.send(report(1));
    await recorder.until((l) => count(l, 'position') === 1);
    recorder.fail(new Error('disk full'));
    await device.closed;
    expect(device.received.length).toBe(0);
  });

  it('can send byte by byte', async () => {
    const { port, recorder } = await start();
    const device = await Client.open(port);
    for (const byte of [...login(), ...report(2)]) {
      device.send(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await device.take(ADMITTED_BYTES + STORED_BYTES);
    expect(count(recorder.list(), 'position')).toBe(2);
  });

  it('is reported with its session, heartbeats, raw frames and the end of the session', async () => {
    const { port, recorder } = await start();
    const device = await Client.open(port);
    device.send(login());
    device.send(simulator.heartbeat!(IMEI, 2));
    await recorder.until((l) => count(l, 'heartbeat') === 1);
    device.socket.destroy();
    const list = await recorder.until((l) => count(l, 'session-closed') === 1);
    expect(list.map((r) => r['type'])).toEqual(['session-opened', 'frame', 'frame', 'heartbeat', 'session-closed']);
    const opened = list[0] as { conn: string };
    expect(opened).toMatchObject({ imei: IMEI, ids: [IMEI], protocol: 'example', transport: 'tcp' });
    expect(list[1]).toMatchObject({ conn: opened.conn, bytes: Buffer.from(login()).toString('base64') });
    expect(list.at(-1)).toMatchObject({ conn: opened.conn, imei: IMEI, reason: 'closed by the device' });
  });

  it('continues after a frame that cannot be decoded, which is kept raw', async () => {
    const { port, recorder } = await start();
    const device = await Client.open(port);
    device.send(login());
    device.send(Buffer.concat([oddFrame(), report(1)]));
    await device.take(ADMITTED_BYTES + STORED_BYTES);
    const undecoded = recorder.list().filter((r) => r['type'] === 'frame-undecoded');
    expect(undecoded).toMatchObject([
      { code: 'unknown-type', imei: IMEI, bytes: Buffer.from(oddFrame()).toString('base64') },
    ]);
  });

  it('that is refused gets the refusal of its protocol and is reported as rejected', async () => {
    const { gateway, port, recorder } = await start({ autoRegister: false });
    gateway.apply({ type: 'devices-end' });
    const device = await Client.open(port);
    device.send(Buffer.concat([login(), report(1)]));
    expect((await device.take(ADMITTED_BYTES)).slice(6, 10)).toBe('8100');
    await device.closed;
    expect(recorder.list().map((r) => r['type'])).toEqual(['knock']);
  });

  it('that cannot be checked gets no answer', async () => {
    const { port, recorder } = await start({ autoRegister: false });
    const device = await Client.open(port);
    device.send(Buffer.concat([login(), report(1)]));
    const other = await Client.open(port);
    other.send(Buffer.from('ffffffffffffffffffffffffffffffff', 'hex'));
    expect(recorder.list()).toEqual([]);
    expect(device.received.length).toBe(0);
  });

  it('on a newer connection takes over, and the older one is closed', async () => {
    const { port, gateway } = await start();
    const older = await Client.open(port);
    older.send(login());
    await older.take(ADMITTED_BYTES);
    const newer = await Client.open(port);
    newer.send(login());
    await newer.take(ADMITTED_BYTES);
    await older.closed;
    expect(gateway.onlineDevices).toBe(1);
    newer.send(report(1));
    expect((await newer.take(STORED_BYTES)).slice(6, 10)).toBe('8201');
  });
});

/** `$$`, one byte of type 05, which the example protocol does not know, with a right checksum. */
function oddFrame(): Uint8Array {
  const body = Uint8Array.of(0x01, 0x05);
  let crc = 0xffff;
  for (const byte of body) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return Uint8Array.of(0x24, 0x24, ...body, crc >> 8, crc & 0xff);
}

describe('limits', () => {
  it('closes a connection that does not identify itself', async () => {
    const limits = {
      ...LIMITS,
      maxConnections: 10,
      maxUnidentifiedPerAddress: 9,
      identifyTimeoutMs: 1,
      idleTimeoutMs: 60_000,
      udpOnlineMs: 1,
      maxJunkBytes: 1_024,
      framesPerSlice: 256,
    };
    const { port } = await start({ limits });
    await (await Client.open(port)).closed;
  });

  it('closes a connection that stops sending', async () => {
    const limits = {
      ...LIMITS,
      maxConnections: 10,
      maxUnidentifiedPerAddress: 9,
      identifyTimeoutMs: 60_000,
      idleTimeoutMs: 1,
      udpOnlineMs: 1,
      maxJunkBytes: 1_024,
      framesPerSlice: 256,
    };
    const { port, recorder } = await start({ limits });
    const device = await Client.open(port);
    device.send(login());
    const list = await recorder.until((l) => count(l, 'session-closed') === 1);
    expect(list.at(-1)).toMatchObject({ reason: 'silent' });
  });

  it('refuses connections beyond MAX_CONNECTIONS', async () => {
    const limits = {
      ...LIMITS,
      maxConnections: 1,
      maxUnidentifiedPerAddress: 9,
      identifyTimeoutMs: 60_000,
      idleTimeoutMs: 60_000,
      udpOnlineMs: 1,
      maxJunkBytes: 1_024,
      framesPerSlice: 256,
    };
    const { port } = await start({ limits });
    const first = await Client.open(port);
    first.send(login());
    await first.take(ADMITTED_BYTES);
    await (await Client.open(port)).closed;
    first.send(report(1));
    await first.take(STORED_BYTES);
  });

  it('reads nothing while the spool is full, and everything when it has space again', async () => {
    const { port, recorder } = await start();
    const device = await Client.open(port);
    device.send(login());
    await device.take(ADMITTED_BYTES);
    recorder.hasRoom = false;
    device.send(report(1));
    await device.take(STORED_BYTES); // this read noticed that there is no room
    device.send(report(2));
    const other = await Client.open(port);
    other.send(simulator.login!('356307042441014', 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(count(recorder.list(), 'position')).toBe(1);
    recorder.giveRoom();
    expect((await device.take(STORED_BYTES)).slice(6, 10)).toBe('8202');
    await other.take(ADMITTED_BYTES);
  });
});

describe('bytes before those of the device', () => {
  it('can be a PROXY header with the address of the client', async () => {
    const { port, recorder } = await start({ proxyProtocol: true });
    const device = await Client.open(port);
    const header = Buffer.from('PROXY TCP4 203.0.113.7 10.0.0.1 4711 5300\r\n');
    for (const part of [header.subarray(0, 9), header.subarray(9), login()]) {
      device.send(part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await device.take(ADMITTED_BYTES);
    expect(recorder.list()[0]).toMatchObject({ type: 'session-opened', remote: '203.0.113.7:4711' });
    const without = await Client.open(port);
    without.send(login());
    await without.closed;
  });

  it('can be TLS if there is a certificate, on the same port as plain connections', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetgate-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    try {
      const { port } = await start({ tls: { cert, key } });
      const secure = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(secure, 'secureConnect');
      const device = new Client(secure);
      device.send(login());
      await device.take(ADMITTED_BYTES);
      device.send(report(1));
      await device.take(STORED_BYTES);
      const plain = await Client.open(port);
      plain.send(simulator.login!('356307042441014', 1));
      await plain.take(ADMITTED_BYTES);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a UDP device', () => {
  it('is acknowledged by datagram, keeps its session, and is known by its address', async () => {
    const { gateway, recorder } = await start();
    const udp = gateway.openPorts.find((p) => p.transport === 'udp')!;
    const socket = createSocket('udp4');
    socket.connect(udp.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.send(login());
    expect(toHex((await once(socket, 'message'))[0] as Buffer).slice(6, 10)).toBe('8101');
    socket.send(report(2));
    expect(toHex((await once(socket, 'message'))[0] as Buffer).slice(6, 10)).toBe('8202');
    expect(count(recorder.list(), 'session-opened')).toBe(1);
    expect([...gateway.online()]).toMatchObject([{ imei: IMEI, transport: 'udp' }]);
    socket.close();
  });
});

describe('a command', () => {
  const delivery = (conn: string, over: object = {}) =>
    ({
      type: 'deliver',
      commandId: 'cmd_1',
      attempt: 1,
      imei: IMEI,
      conn,
      command: 'custom',
      params: { data: 'STATUS' },
      ticket: '7',
      ...over,
    }) as const;
  /** `$$`, length, 90, ticket, text, checksum: as the example protocol documents it */
  const COMMAND_BYTES = 2 + 1 + 3 + 6 + 2;

  const online = async (): Promise<{ device: Client; conn: string } & Running> => {
    const started = await start();
    const device = await Client.open(started.port);
    device.send(login());
    await device.take(ADMITTED_BYTES);
    return { ...started, device, conn: [...started.gateway.online()][0]!.conn };
  };

  it('is reported as sent before its first byte is written, and written once', async () => {
    const { gateway, recorder, device, conn } = await online();
    recorder.isOpen = false;
    expect(gateway.apply(delivery(conn))).toBe(true);
    gateway.apply(delivery(conn));
    await recorder.until((l) => count(l, 'sent') === 1);
    expect(device.received.length).toBe(0);
    recorder.release();
    recorder.isOpen = true;
    expect((await device.take(COMMAND_BYTES)).slice(6, -4)).toBe(`900007${Buffer.from('STATUS').toString('hex')}`);
    device.send(simulator.answer!(Buffer.from('242409900007535441545553', 'hex'), 'done', IMEI, 1));
    const list = await recorder.until((l) => count(l, 'answer') === 1);
    expect(count(list, 'sent')).toBe(1);
    expect(list.find((r) => r['type'] === 'answer')).toMatchObject({
      imei: IMEI,
      conn,
      ticket: '7',
      outcome: 'done',
      text: 'OK',
    });
    gateway.apply(delivery(conn, { attempt: 2 }));
    await device.take(COMMAND_BYTES);
  });

  it('is not answered by an answer that names another command', async () => {
    const { gateway, recorder, port } = await start({ protocols: [h02] });
    const device = await Client.open(port);
    device.send(h02.simulator.heartbeat!(IMEI, 1));
    await recorder.until((l) => count(l, 'session-opened') === 1);
    const { conn } = [...gateway.online()][0]!;
    gateway.apply(delivery(conn, { command: 'positionPeriodic', params: { frequency: 60 } }));
    await recorder.until((l) => count(l, 'sent') === 1);
    for (const name of ['S20,DONE', 'S71,DONE']) device.send(Buffer.from(`*HQ,${IMEI},V4,${name},101529#`));
    const answers = (await recorder.until((l) => count(l, 'answer') === 2)).filter(({ type }) => type === 'answer');
    expect(answers).toMatchObject([{ text: 'S20,DONE,101529', namesOther: true }, { text: 'S71,DONE,101529' }]);
    expect(answers[1]).not.toHaveProperty('namesOther');
  });

  it('is not written when it could not be reported as sent', async () => {
    const { gateway, recorder, device, conn } = await online();
    recorder.isOpen = false;
    gateway.apply(delivery(conn));
    await recorder.until((l) => count(l, 'sent') === 1);
    recorder.fail(new Error('disk full'));
    recorder.isOpen = true;
    device.send(simulator.heartbeat!(IMEI, 2));
    await recorder.until((l) => count(l, 'heartbeat') === 1);
    expect(device.received.length).toBe(0);
    gateway.apply(delivery(conn));
    await device.take(COMMAND_BYTES);
  });

  it('that was returned is written when it is sent again with the same number', async () => {
    const { gateway, recorder, device, conn } = await online();
    gateway.apply(delivery('gone'));
    await recorder.until((l) => count(l, 'not-sent') === 1);
    gateway.apply(delivery(conn));
    await device.take(COMMAND_BYTES);
  });

  it('is not sent if its connection is closed, it was withdrawn, or the protocol cannot encode it', async () => {
    const { gateway, recorder, conn } = await online();
    gateway.apply(delivery('other'));
    gateway.apply({ type: 'withdraw', commandId: 'cmd_2', attempt: 1 });
    gateway.apply(delivery(conn, { commandId: 'cmd_2' }));
    gateway.apply(delivery(conn, { commandId: 'cmd_3', command: 'engineStop' }));
    gateway.apply(delivery(conn, { commandId: 'cmd_4', params: { data: 'é' } }));
    const list = await recorder.until((l) => count(l, 'not-sent') === 4);
    expect(list.filter((r) => r['type'] === 'not-sent').map((r) => [r['commandId'], r['permanent'] ?? false])).toEqual([
      ['cmd_1', false],
      ['cmd_2', false],
      ['cmd_3', true],
      ['cmd_4', true],
    ]);
  });
});

describe('stopping', () => {
  it('acknowledges everything that was read before it closes', async () => {
    const { gateway, port, recorder } = await start();
    const device = await Client.open(port);
    device.send(login());
    await device.take(ADMITTED_BYTES);
    recorder.isOpen = false;
    device.send(report(1));
    await recorder.until((l) => count(l, 'position') === 1);
    gateway.stopAccepting();
    gateway.stopReading();
    const closing = gateway.close(2000);
    recorder.release();
    expect((await device.take(STORED_BYTES)).slice(6, 10)).toBe('8201');
    await Promise.all([closing, device.closed]);
  });
});

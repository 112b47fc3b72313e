import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { httpAsStream } from '#codec/http';
import osmand from '../../../protocols/osmand/index.ts';
import { example } from '../../conformance/example-protocol.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { Client, IMEI, LIMITS, type Running, startGateway } from './support.ts';

const { simulator } = example;
const ADMITTED_BYTES = 7;
/** a TLS record of type handshake whose rest never comes */
const HALF_HANDSHAKE = Buffer.from('1603010200010001fc0303', 'hex');

let running: Running | undefined;
let certificates: Certificates;
const start = async (...args: Parameters<typeof startGateway>): Promise<Running> => {
  running = await startGateway(...args);
  return running;
};

beforeAll(() => {
  certificates = makeCertificates();
});
afterAll(() => certificates.remove());
afterEach(async () => {
  await running?.gateway.close(1000);
  running = undefined;
});

describe('connections that have not finished their preamble', () => {
  it('count towards MAX_CONNECTIONS while a TLS handshake is not complete', async () => {
    const limits = { ...LIMITS, maxConnections: 2 };
    const { gateway, port } = await start({ tls: certificates.server, limits });
    const half = [await Client.open(port), await Client.open(port)];
    for (const client of half) client.send(HALF_HANDSHAKE);
    await (await Client.open(port)).closed;
    expect(gateway.connections).toBe(2);
    half[0]!.socket.destroy();
    await half[0]!.closed;
    while (gateway.connections > 1) await new Promise((resolve) => setImmediate(resolve));
    const device = await Client.open(port);
    device.send(simulator.login!(IMEI, 1));
    await device.take(ADMITTED_BYTES);
  });

  it('count towards MAX_CONNECTIONS while the PROXY header has not come', async () => {
    const limits = { ...LIMITS, maxConnections: 1 };
    const { port } = await start({ proxyProtocol: true, limits });
    const half = await Client.open(port);
    half.send(Buffer.from('PROXY TCP4 '));
    await (await Client.open(port)).closed;
  });

  it('count towards MAX_UNIDENTIFIED_PER_ADDRESS, the oldest end first', async () => {
    const limits = { ...LIMITS, maxUnidentifiedPerAddress: 1, handshakeTimeoutMs: 60_000 };
    const { port } = await start({ tls: certificates.server, limits });
    const older = await Client.open(port);
    older.send(HALF_HANDSHAKE);
    const newer = await Client.open(port);
    newer.send(HALF_HANDSHAKE);
    await older.closed;
    expect(newer.socket.destroyed).toBe(false);
    newer.socket.destroy();
  }, 15_000);

  it('end when the TLS handshake takes too long, also if bytes keep coming', async () => {
    const limits = { ...LIMITS, handshakeTimeoutMs: 1 };
    const { port } = await start({ tls: certificates.server, limits });
    const silent = await Client.open(port);
    silent.send(HALF_HANDSHAKE);
    const dripping = await Client.open(port);
    dripping.send(HALF_HANDSHAKE);
    const drip = setInterval(() => dripping.send(Buffer.of(0)), 20);
    await Promise.all([silent.closed, dripping.closed]);
    clearInterval(drip);
  });

  it('end when a PROXY header comes byte by byte and takes too long', async () => {
    const limits = { ...LIMITS, handshakeTimeoutMs: 1 };
    const { port } = await start({ proxyProtocol: true, limits });
    const dripping = await Client.open(port);
    const drip = setInterval(() => dripping.send(Buffer.from('P')), 20);
    await dripping.closed;
    clearInterval(drip);
  });
});

describe('TLS', () => {
  it('is required if TLS_REQUIRED is set: plain connections are closed and no datagram is accepted', async () => {
    const { gateway, port } = await start({ tls: { ...certificates.server, required: true } });
    expect(gateway.openPorts.map(({ transport }) => transport)).toEqual(['tcp']);
    const plain = await Client.open(port);
    plain.send(simulator.login!(IMEI, 1));
    await plain.closed;
    expect(plain.received.length).toBe(0);
    const secure = connectTls({ port, host: '127.0.0.1', ca: certificates.ca, servername: 'localhost' });
    await once(secure, 'secureConnect');
    const device = new Client(secure);
    device.send(simulator.login!(IMEI, 1));
    await device.take(ADMITTED_BYTES);
    secure.destroy();
  });
});

describe('requests of an HTTP protocol', () => {
  it('that are not finished in time end the connection, although its device is known', async () => {
    const limits = { ...LIMITS, requestTimeoutMs: 1 };
    const { port } = await start({ limits, protocols: [httpAsStream(osmand)] });
    const app = await Client.open(port);
    app.send(Buffer.from('GET /?id=77&timestamp=1717243200&lat=48.1&lon=11.6 HTTP/1.1\r\nHost: a\r\n\r\n'));
    await app.take(12);
    app.send(Buffer.from('POST /?id=77 HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf'));
    const drip = setInterval(() => app.send(Buffer.from('x')), 100);
    await app.closed;
    clearInterval(drip);
  });
});

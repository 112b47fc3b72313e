import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiTarget } from '../../../src/gateway/pusher/index.ts';
import { openSpool } from '../../../src/gateway/spool/index.ts';
import { Tokens } from '../../../src/gateway/uplink/index.ts';
import { apiConnector } from '../../../src/platform/api-connector.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createHttps } from '../../../src/server/kernel/http/https.ts';
import { API_KEY, INTERNAL_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';

let api: RunningApi;
let certificates: Certificates;
let folder: string;
let files: { cert: string; key: string };
/** what the server logs */
const lines: string[] = [];
let heard: () => void = () => {};
const write = (line: string): void => {
  lines.push(line);
  heard();
};
const log = pino({ level: 'info' }, { write });

beforeAll(async () => {
  certificates = makeCertificates();
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-https-'));
  files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  use(certificates.server);
  const { cert, key } = files;
  api = await startApi(
    await createDatabase(),
    { API_TLS_CERT: cert, API_TLS_KEY: key },
    { log, adminPassword: 'a password of some length' },
  );
});
afterAll(async () => {
  await api.stop();
  await dropDatabases();
  certificates.remove();
  rmSync(folder, { recursive: true });
});

function use({ cert, key }: { cert: string; key: string }): void {
  copyFileSync(cert, files.cert);
  copyFileSync(key, files.key);
}

const port = (): number => Number(new URL(api.url).port);
const authorization = `Bearer ${API_KEY}`;

function open(options: object = {}): Promise<TLSSocket> {
  return new Promise((opened, failed) => {
    const to = { host: '127.0.0.1', port: port(), servername: 'localhost', ca: certificates.ca };
    const socket = connect({ ...to, ...options }, () => opened(socket));
    socket.on('error', failed);
  });
}

async function presented(options: object = {}): Promise<PeerCertificate> {
  const socket = await open(options);
  const certificate = socket.getPeerCertificate();
  socket.destroy();
  return certificate;
}

/** Over a connection that is open already. */
function ask(socket: TLSSocket): Promise<number> {
  return new Promise((answered, failed) => {
    const sent = httpsRequest(
      {
        createConnection: () => socket,
        path: '/v1/devices',
        headers: { authorization, host: 'localhost', connection: 'keep-alive' },
      },
      (response) => response.resume().on('end', () => answered(response.statusCode!)),
    );
    sent.on('error', failed).end();
  });
}

/** Resolves with the next line of the log that contains the text. */
async function logged(text: string): Promise<void> {
  while (!lines.some((line) => line.includes(text))) await new Promise<void>((resolve) => (heard = resolve));
}

describe('the API over HTTPS', () => {
  it('is served with the certificate of the settings', async () => {
    expect(api.url).toMatch(/^https:/);
    const dispatcher = new Agent({ connect: { ca: certificates.ca, servername: 'localhost' } });
    const { statusCode, headers } = await request(`${api.url}/v1/devices`, { dispatcher, headers: { authorization } });
    expect(statusCode).toBe(200);
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/);
    await dispatcher.destroy();
  });

  it('sets cookies for HTTPS only', async () => {
    const dispatcher = new Agent({ connect: { ca: certificates.ca, servername: 'localhost' } });
    const { statusCode, headers } = await request(`${api.url}/login`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'user=admin&password=a+password+of+some+length',
    });
    expect(statusCode).toBe(303);
    for (const line of [headers['set-cookie']].flat()) expect(line).toMatch(/^__Host-.*; Secure$/);
    await dispatcher.destroy();
  });

  it('takes no change from a page of the same host over plain HTTP', async () => {
    const dispatcher = new Agent({ connect: { ca: certificates.ca, servername: 'localhost' } });
    const body = 'user=admin&password=a+password+of+some+length';
    const send = async (origin: string): Promise<number> => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
      return (await request(`${api.url}/login`, { method: 'POST', dispatcher, headers, body })).statusCode;
    };
    expect(await send(api.url)).toBe(303);
    expect(await send(api.url.replace('https:', 'http:'))).toBe(401);
    await dispatcher.destroy();
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('does not speak %s', async (version) => {
    const old = open({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
    await expect(old).rejects.toThrow(/protocol|version|EPROTO|unsupported/i);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const socket = await open({ minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    socket.destroy();
  });

  it('does not answer requests in clear text', async () => {
    const answer = new Promise((resolve, reject) => {
      const sent = httpRequest(
        { host: '127.0.0.1', port: port(), path: '/v1/devices', headers: { authorization } },
        resolve,
      );
      sent.on('error', reject).end();
    });
    await expect(answer).rejects.toThrow(/hang up|ECONNRESET/);
  });

  it('uses a replaced certificate for new connections, and keeps those that are open', async () => {
    const before = await open();
    expect(await ask(before)).toBe(200);
    const first = before.getPeerCertificate().serialNumber;
    const next = certificates.another();
    // halfway: the key is still the old one
    copyFileSync(next.cert, files.cert);
    expect((await presented()).serialNumber).toBe(first);
    use(next);
    lines.length = 0;
    await logged('certificate replaced');
    expect((await presented()).serialNumber).not.toBe(first);
    // without a name too
    expect((await presented({ servername: '', checkServerIdentity: () => undefined })).serialNumber).not.toBe(first);
    expect(await ask(before)).toBe(200);
    before.destroy();
  });

  it('does not start with the key of another certificate', () => {
    const other = { cert: certificates.server.cert, key: certificates.another().key };
    expect(() => createHttps(other, { headersTimeout: 10_000 })).toThrow(
      'the private key does not belong to the certificate',
    );
  });
});

describe('a gateway', () => {
  const tokens = (connect: ReturnType<typeof apiConnector>) =>
    new Tokens(
      {
        at: () => ({ apiUrl: api.url, dispatcher: new Agent({ connect }) }),
        internalKey: INTERNAL_KEY,
        gatewayId: 'gw-tls',
      },
      systemClock,
    );

  it('trusts the configured authority for the configured name', async () => {
    const trusted = apiConnector({ caFile: certificates.caFile, serverName: 'localhost' });
    expect(await tokens(trusted).get()).toMatch(/^ey/);
  });

  it('trusts the certificate of the API if it is configured', async () => {
    const trusted = apiConnector({ caFile: files.cert, serverName: 'localhost' });
    expect(await tokens(trusted).get()).toMatch(/^ey/);
  });

  it('refuses another name, another authority, and self-signed certificates', async () => {
    const others = makeCertificates();
    const trust = [
      { caFile: certificates.caFile, serverName: 'fleet.example.com' },
      { caFile: certificates.caFile, serverName: undefined },
      { caFile: others.caFile, serverName: 'localhost' },
      { caFile: undefined, serverName: 'localhost' },
      { caFile: join(folder, 'absent'), serverName: 'localhost' },
    ];
    for (const each of trust) await expect(tokens(apiConnector(each)).get()).rejects.toThrow();
    others.remove();
  });

  it('pushes over the same kind of connection', async () => {
    const connector = apiConnector({ caFile: certificates.caFile, serverName: 'localhost' });
    const spool = await openSpool({
      folder: join(folder, 'spool'),
      targets: ['api'],
      syncMs: 0,
      maxBytes: 4_000_000,
      minFreeBytes: 0,
      clock: systemClock,
      log,
    });
    const around = { spool, clock: systemClock, log };
    const at = () => ({ apiUrl: api.url, connector });
    const target = apiTarget({ at, authorise: () => tokens(connector).get(), ...around });
    const sent = await target.send({ seqs: [1], body: Buffer.alloc(0) } as never, new AbortController().signal);
    // the API reads the body, and no connection fails
    expect(sent.type === 'retry' ? sent.code : sent.type).not.toMatch(/network|time-out|authorise/);
    await target.close?.();
    await spool.close();
  });
});

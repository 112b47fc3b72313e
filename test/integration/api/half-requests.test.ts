import { once } from 'node:events';
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveStatus } from '../../../src/platform/status-server.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { type Certificates, makeCertificates } from '../../support/certificates.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

const HEAD = 'POST /v1/auth/credentials HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

/** Sends the beginning of a request, then a byte at a time; what was answered until the server closed. */
async function sendHalf(port: number, beginning: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write(beginning);
  const drip = beginning === '' ? undefined : setInterval(() => socket.write('x'), 50);
  // the server ends its side first
  await once(socket, 'close');
  clearInterval(drip);
  return answer;
}

/** A client that goes on after the server has ended its side: resolves when the server takes no more of it. */
async function keepOpen({ url }: RunningApi, beginning: string | Buffer): Promise<void> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  let drip: NodeJS.Timeout | undefined;
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => {}).resume();
  socket.on('end', () => {
    drip = setInterval(() => socket.write('x'), 50);
  });
  socket.write(beginning);
  await closed;
  clearInterval(drip);
}

describe('an incomplete request', () => {
  let api: RunningApi;
  let certificates: Certificates;
  beforeAll(async () => {
    certificates = makeCertificates();
    api = await withDatabase((url) => startApi(url, { REQUEST_TIMEOUT_S: 0.2 }));
  });
  afterAll(async () => {
    await api?.stop();
    certificates.remove();
    await dropDatabases();
  });

  it.each([
    ['a head', HEAD],
    ['a body', `${HEAD}Content-Length: 100000\r\n\r\n{`],
  ])('of %s is answered 408 by the API, and the connection closed', async (_, beginning) => {
    expect(await sendHalf(Number(new URL(api.url).port), beginning)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('that has not begun is closed as well', async () => {
    await sendHalf(Number(new URL(api.url).port), '');
  });

  it('is not held by a client that keeps its side open', async () => {
    await keepOpen(api, HEAD);
  });

  it.each([
    ['', 'nothing'],
    ['160301020001', 'half of a record'],
  ])('of TLS (%j: %s) is closed', async (hex) => {
    const { server } = certificates;
    const [cert, key] = [server.cert, server.key];
    const secure = await withDatabase((url) =>
      startApi(url, { REQUEST_TIMEOUT_S: 0.2, API_TLS_CERT: cert, API_TLS_KEY: key }),
    );
    try {
      await keepOpen(secure, Buffer.from(hex, 'hex'));
    } finally {
      await secure.stop();
    }
  });

  it('is closed by the status server', async () => {
    const status = await serveStatus(
      { host: '127.0.0.1', port: 0, requestTimeoutMs: 200, metricsTokens: [] },
      () => [],
      new Registry(),
    );
    try {
      expect(await sendHalf(status.port, 'GET /healthz HTTP/1.1\r\nHost: ')).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      await status.close();
    }
  });
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/server/kernel/outbound/addresses.ts';
import { createOutbound } from '../../../src/server/kernel/outbound/index.ts';

test.each([
  ['8.8.8.8', true],
  ['93.184.215.14', true],
  ['100.63.255.255', true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['100.64.0.1', false],
  ['127.8.8.8', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['198.19.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001:0:1::', false],
  ['fc00::1', false],
  ['fe80::1', false],
  ['ff02::1', false],
])('%s is of the public internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

describe('a request to a URL that somebody gave', () => {
  let server: Server;
  let port: number;
  const asked: { url: string | undefined; host: string | undefined; body: string }[] = [];
  beforeAll(async () => {
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += chunk;
      asked.push({ url: request.url, host: request.headers.host, body });
      if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' });
      response.end('x'.repeat(100_000));
    };
    server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const never = new AbortController().signal;
  const at =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: 4 }));

  test('is sent to the address that was checked, with the name as its host', async () => {
    const outbound = createOutbound({ allowsPrivate: true, resolve: at('127.0.0.1') });
    expect(await outbound.post(`http://hook.example:${port}/in`, '{"a":1}', {}, never)).toBe(200);
    expect(asked.at(-1)).toEqual({ url: '/in', host: `hook.example:${port}`, body: '{"a":1}' });
  });

  test('is refused if the name resolves to a private address, also beside public ones', async () => {
    const before = asked.length;
    for (const resolve of [at('127.0.0.1'), at('8.8.8.8', '127.0.0.1')]) {
      const outbound = createOutbound({ allowsPrivate: false, resolve });
      await expect(outbound.check(`http://hook.example:${port}/`)).rejects.toMatchObject({ code: 'private-address' });
      const posted = outbound.post(`http://hook.example:${port}/`, '{}', {}, never);
      await expect(posted).rejects.toMatchObject({ code: 'private-address' });
    }
    const plain = createOutbound({ allowsPrivate: false });
    await expect(plain.post(`http://127.0.0.1:${port}/`, '{}', {}, never)).rejects.toMatchObject({
      code: 'private-address',
    });
    expect(asked).toHaveLength(before);
  });

  test('uses the checked address if the name resolves to another one later', async () => {
    let looks = 0;
    const resolve = async () => [{ address: ++looks === 1 ? '127.0.0.1' : '203.0.113.1', family: 4 }];
    const outbound = createOutbound({ allowsPrivate: true, resolve });
    expect(await outbound.post(`http://hook.example:${port}/`, '{}', {}, never)).toBe(200);
    expect(looks).toBe(1);
  });

  test('follows no redirect', async () => {
    const outbound = createOutbound({ allowsPrivate: true });
    const before = asked.length;
    expect(await outbound.post(`http://127.0.0.1:${port}/moved`, '{}', {}, never)).toBe(302);
    expect(asked).toHaveLength(before + 1);
  });

  test('a name that cannot be resolved is checked when the request is sent', async () => {
    const resolve = async () => Promise.reject(new Error('no such name'));
    const outbound = createOutbound({ allowsPrivate: false, resolve });
    await outbound.check('http://later.example/');
    await expect(outbound.post('http://later.example/', '{}', {}, never)).rejects.toThrow('no such name');
  });
});

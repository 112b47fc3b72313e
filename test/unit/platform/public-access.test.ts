import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/apps/config.ts';
import { serveStatus } from '../../../src/platform/status-server.ts';

describe('TRUST_PROXY', () => {
  const read = (text: string) => loadConfig({ TRUST_PROXY: text }).TRUST_PROXY;

  test('is a number of proxies, or their addresses and networks', () => {
    expect(read('2')).toBe(2);
    expect(read('127.0.0.1, 10.0.0.0/8,fd00::/8')).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
    expect(read('false')).toBe(false);
  });

  test('does not trust what clients write where it is `true`, its deprecated form', () => {
    expect(read('true')).toBe(1);
  });

  test.each(['proxy.example.org', '10.0.0.0/33', '1.2.3', '10.0.0.1,'])('is not %s', (text) => {
    expect(() => read(text)).toThrow(/TRUST_PROXY/);
  });
});

describe('metrics', () => {
  test('are not public because the server listens on a loopback address', () => {
    expect(loadConfig({ HOST: '127.0.0.1' }).metricsPublic).toBe(false);
    expect(loadConfig({ METRICS_PUBLIC: 'true' }).metricsPublic).toBe(true);
  });

  test('of a gateway are read with its token', async () => {
    const listen = { host: '127.0.0.1', port: 0, metricsTokens: ['token-of-the-gateway'] };
    const status = await serveStatus(listen, () => [], new Registry());
    const read = async (authorization?: string): Promise<number> => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      return (await fetch(`http://127.0.0.1:${status.port}/metrics`, { headers })).status;
    };
    try {
      expect([await read(), await read('Bearer another-token'), await read('Bearer')]).toEqual([401, 401, 401]);
      expect(await read('Bearer token-of-the-gateway')).toBe(200);
    } finally {
      await status.close();
    }
  });
});

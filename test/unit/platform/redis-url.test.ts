import { expect, it } from 'vitest';
import { parseRedisUrl } from '../../../src/platform/redis-url.ts';

it('one server is left to the client', () => {
  for (const url of ['redis://:secret@redis:6379/1', 'rediss://redis', '/run/redis.sock']) {
    expect(parseRedisUrl(url)).toEqual({ type: 'server', url });
  }
});

it('sentinels have the port 26379, and name the master', () => {
  expect(parseRedisUrl('rediss+sentinel://app:p%40ss@one,[2001:db8::2]:26380/mymaster/3?sentinelPassword=s')).toEqual({
    type: 'sentinel',
    isTls: true,
    username: 'app',
    password: 'p@ss',
    name: 'mymaster',
    db: 3,
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: '2001:db8::2', port: 26_380 },
    ],
    sentinelUsername: undefined,
    sentinelPassword: 's',
  });
  expect(() => parseRedisUrl('redis+sentinel://one,two')).toThrow('must name the master');
});

it('a cluster has no databases', () => {
  expect(parseRedisUrl('redis+cluster://:secret@one,two:7000')).toMatchObject({
    type: 'cluster',
    isTls: false,
    username: undefined,
    password: 'secret',
    nodes: [
      { host: 'one', port: 6_379 },
      { host: 'two', port: 7_000 },
    ],
  });
  expect(() => parseRedisUrl('redis+cluster://one/1')).toThrow('no databases');
  expect(() => parseRedisUrl('http://one')).toThrow('redis+sentinel://');
});

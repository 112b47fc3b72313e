import { type RedisOptions as AllOptions, Cluster, Redis } from 'ioredis';
import { parseRedisUrl } from '../../../../platform/redis-url.ts';

export type RedisClient = Redis | Cluster;
type RedisOptions = Omit<AllOptions, 'replyMapping'>;

/** Opens a connection to Redis, or to the current master if the URL names sentinels. */
export function openRedis(text: string, options: RedisOptions): RedisClient {
  const address = parseRedisUrl(text);
  if (address.type === 'server') return new Redis(address.url, options);
  const { username, password, isTls } = address;
  const login: RedisOptions = {
    ...options,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
  };
  if (address.type === 'cluster') {
    const { retryStrategy, enableOfflineQueue, ...redisOptions } = login;
    return new Cluster([...address.nodes], {
      redisOptions,
      ...(retryStrategy && { clusterRetryStrategy: (times: number) => retryStrategy(times) as number }),
      ...(enableOfflineQueue === undefined ? {} : { enableOfflineQueue }),
      // names of nodes are resolved by TLS, which compares them with certificates
      ...(isTls ? { dnsLookup: (host: string, done: (error: null, host: string) => void) => done(null, host) } : {}),
    });
  }
  const { name, db, sentinels, sentinelUsername, sentinelPassword } = address;
  return new Redis({
    ...login,
    name,
    db,
    sentinels: [...sentinels],
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(isTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    ...(options.retryStrategy && { sentinelRetryStrategy: options.retryStrategy }),
  });
}

/** Keys of a queue have to be in one slot of a cluster. */
export const prefixOf = (text: string, prefix: string): string =>
  parseRedisUrl(text).type === 'cluster' ? `{${prefix}}` : prefix;

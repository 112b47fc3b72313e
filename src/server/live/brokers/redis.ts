import { Redis } from 'ioredis';
import { createEnd, within } from '../../../platform/deadline.ts';
import type { OpenSender } from './message.ts';
import { credentialsOf, tlsOptions } from './tls.ts';

const TOPIC = 'fleetgate';
const MAX_LENGTH = 1_000_000;

/** Entries of a Redis stream: fields `id`, `type`, `tenant`, `device` and `event`. */
export const openRedis: OpenSender = async ({ url, topic = TOPIC, options }, { resolve, timeoutMs }) => {
  const target = new URL(url);
  const { ended, end } = createEnd();
  const redis = new Redis({
    host: await resolve(target.hostname),
    port: Number(target.port || 6379),
    db: Number(target.pathname.slice(1) || 0),
    ...credentialsOf(target, options),
    ...(target.protocol === 'rediss:' ? { tls: tlsOptions(target.hostname, options) } : {}),
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: timeoutMs,
  });
  redis.on('error', () => {});
  redis.once('close', () => end(new Error('the connection was closed')));
  try {
    await within(redis.connect(), timeoutMs, ended);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const maxLength = Number(options['maxLength'] ?? MAX_LENGTH);
  return {
    async send(messages) {
      const pipeline = redis.pipeline();
      for (const { id, kind, tenant, device = '', body } of messages) {
        const fields = ['id', id, 'type', kind, 'tenant', tenant, 'device', device, 'event', body];
        pipeline.xadd(topic, 'MAXLEN', '~', maxLength, '*', ...fields);
      }
      for (const [error] of (await within(pipeline.exec(), timeoutMs, ended)) ?? []) if (error !== null) throw error;
      return [];
    },
    async close() {
      redis.disconnect();
    },
  };
};

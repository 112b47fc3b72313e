import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent, request } from 'undici';
import type { Config } from '../../apps/config.ts';
import { apiConnector } from '../../platform/api-connector.ts';
import { parseApiUrls } from '../../platform/api-endpoints.ts';
import { createLog } from '../../platform/log.ts';
import { parseRedisUrl, type RedisAddress } from '../../platform/redis-url.ts';
import { runningEmbeddedPostgres } from '../../server/database/embedded.ts';
import { writableUrl } from '../../server/database/index.ts';
import { openTransfer } from '../../server/database/transfer/store.ts';
import { type Finding, fail, ok, reason, warn } from './finding.ts';

/** Whether the ports are free, where no server runs that holds them. */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const wanted: [name: string, host: string, port: number, udp: boolean][] = [];
  if (config.PORT !== 0) wanted.push(['PORT', config.HOST, config.PORT, false]);
  if (config.ROLE !== 'api') {
    if (config.AUTO_PORT !== 0) wanted.push(['AUTO_PORT', config.GATEWAY_HOST, config.AUTO_PORT, true]);
    for (const [service, port] of Object.entries(config.servicePorts)) {
      wanted.push([`PORT_${service.toUpperCase()}`, config.GATEWAY_HOST, port, true]);
    }
  }
  return Promise.all(
    wanted.map(async ([name, host, port, udp]) => {
      const problem = (await tryTcp(host, port)) ?? (udp ? await tryUdp(host, port) : undefined);
      if (problem === undefined) return ok(`${name}: ${host}:${port} is free`);
      return fail(
        `${name}: ${host}:${port} cannot be opened (${problem})`,
        `stop what holds it, or give another ${name}`,
      );
    }),
  );
}

function tryTcp(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(reason(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function tryUdp(host: string, port: number): Promise<string | undefined> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    socket.once('error', (error) => resolve(reason(error)));
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(undefined)));
  });
}

const OLDEST_POSTGRES = 15;

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.ROLE === 'gateway') return [];
  const url = config.DATABASE_URL ?? runningEmbeddedPostgres(config.DATA_DIR);
  if (url === undefined) return [ok('the embedded database does not run now')];
  try {
    const store = await openTransfer(await writableUrl(url, createLog('doctor', 'fatal')));
    let version: string;
    try {
      version = await store.version();
    } finally {
      await store.close();
    }
    if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
      return [fail(`the database is PostgreSQL ${version}`, `PostgreSQL ${OLDEST_POSTGRES} or later is needed`)];
    }
    return [ok(`the database answers (PostgreSQL ${version})`)];
  } catch (error) {
    return [fail(`the database does not answer: ${reason(error)}`, 'look at DATABASE_URL, and whether it runs')];
  }
}

export async function checkRedis(config: Config): Promise<Finding[]> {
  if (config.REDIS_URL === undefined || config.ROLE === 'gateway') return [];
  const advice = 'look at REDIS_URL, and whether it runs';
  try {
    const address = parseRedisUrl(config.REDIS_URL);
    if (address.type !== 'server') return await checkNodes(address);
    const answer = await ping(new URL(address.url));
    if (answer.includes('+PONG')) return [ok('Redis answers')];
    return [fail(`Redis answers ${answer.split('\r\n', 1)[0]}`, 'look at user and password in REDIS_URL')];
  } catch (error) {
    return [fail(`Redis does not answer: ${reason(error)}`, advice)];
  }
}

/** Of sentinels, and of a cluster, one that answers is enough. */
async function checkNodes(address: Exclude<RedisAddress, { type: 'server' }>): Promise<Finding[]> {
  const nodes = address.type === 'sentinel' ? address.sentinels : address.nodes;
  const login =
    address.type === 'sentinel'
      ? { user: address.sentinelUsername, password: address.sentinelPassword }
      : { user: address.username, password: address.password };
  const findings = await Promise.all(
    nodes.map(async ({ host, port }): Promise<Finding> => {
      const url = new URL(`${address.isTls ? 'rediss' : 'redis'}://${host.includes(':') ? `[${host}]` : host}:${port}`);
      url.username = encodeURIComponent(login.user ?? '');
      url.password = encodeURIComponent(login.password ?? '');
      try {
        const answer = await ping(url);
        if (answer.includes('+PONG')) return ok(`Redis at ${host}:${port} answers`);
        return warn(`Redis at ${host}:${port} answers ${answer.split('\r\n', 1)[0]}`, 'look at user and password');
      } catch (error) {
        return warn(`Redis at ${host}:${port} does not answer: ${reason(error)}`, 'look whether it runs');
      }
    }),
  );
  if (findings.some(({ level }) => level === 'ok')) return findings;
  return [...findings, fail('no Redis of REDIS_URL answers', 'look at REDIS_URL')];
}

const bulk = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((w) => `$${Buffer.byteLength(w)}\r\n${w}\r\n`).join('')}`;

function ping(url: URL): Promise<string> {
  const where = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) };
  const socket = url.protocol === 'rediss:' ? connectTls({ ...where, servername: where.host }) : connect(where);
  const password = decodeURIComponent(url.password);
  const user = decodeURIComponent(url.username);
  const login = password === '' ? '' : bulk(user === '' ? ['AUTH', password] : ['AUTH', user, password]);
  socket.setTimeout(5_000, () => socket.destroy(new Error('no answer within 5 s')));
  socket.write(login + bulk(['PING']));
  let answer = '';
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      answer += chunk;
      if (!/\+PONG|^-/m.test(answer)) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on('close', () => reject(new Error('the connection was closed')));
  });
}

export async function checkApi(config: Config): Promise<Finding[]> {
  if (config.API_URL === undefined || config.ROLE !== 'gateway') return [];
  return Promise.all(parseApiUrls(config.API_URL).map((url) => checkApiAt(url, config)));
}

async function checkApiAt(url: string, config: Config): Promise<Finding> {
  const dispatcher = new Agent({
    connect: apiConnector({ caFile: config.API_CA, serverName: config.API_SERVER_NAME }),
  });
  try {
    const signal = AbortSignal.timeout(5_000);
    const { statusCode, body } = await request(new URL('/readyz', url), { dispatcher, signal });
    await body.dump();
    if (statusCode === 200) return ok(`the API answers at ${url}`);
    return warn(`the API at ${url} answers ${statusCode}`, 'ask its /readyz why');
  } catch (error) {
    const cause = (error as { cause?: unknown }).cause ?? error;
    return fail(
      `the API does not answer at ${url}: ${reason(cause)}`,
      'look at API_URL and API_CA, and whether it runs',
    );
  } finally {
    await dispatcher.destroy();
  }
}

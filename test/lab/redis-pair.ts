import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/ports.ts';
import { Program } from './process-tree.ts';
import { until } from './until.ts';

const DOWN_MS = 2_000;

/** A Redis server, its replica, and a sentinel that promotes the replica. */
export class RedisPair {
  readonly ports: number[] = [];
  readonly #folder: string;
  readonly #redis: string;
  readonly #sentinel: string;
  readonly #servers: Program[] = [];
  #watch: Program | undefined;

  constructor(folder: string, redis: string, sentinel: string) {
    this.#folder = folder;
    this.#redis = redis;
    this.#sentinel = sentinel;
  }

  async start(): Promise<this> {
    this.ports.push(await freePort(), await freePort());
    for (const [n, port] of this.ports.entries()) {
      const home = join(this.#folder, `redis-${n + 1}`);
      mkdirSync(home);
      const file = join(home, 'redis.conf');
      const lines = [
        `port ${port}`,
        'bind 127.0.0.1',
        `dir ${home}`,
        'save ""',
        'appendonly yes',
        'maxmemory-policy noeviction',
        ...(n === 0 ? [] : [`replicaof 127.0.0.1 ${this.ports[0]}`]),
      ];
      writeFileSync(file, `${lines.join('\n')}\n`);
      const server = new Program(`redis ${n + 1}`, [this.#redis, file], join(home, 'log'));
      this.#servers.push(server);
      server.start();
      await until(async () => (await ask(port, 'PING')).startsWith('+PONG'));
    }
    await until(async () => (await ask(this.ports[0]!, 'INFO replication')).includes('state=online'));
    const watchPort = await freePort();
    const file = join(this.#folder, 'sentinel.conf');
    const lines = [
      `port ${watchPort}`,
      'bind 127.0.0.1',
      `dir ${this.#folder}`,
      `sentinel monitor fleetgate 127.0.0.1 ${this.ports[0]} 1`,
      `sentinel down-after-milliseconds fleetgate ${DOWN_MS}`,
      'sentinel failover-timeout fleetgate 6000',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    this.#watch = new Program('sentinel', [this.#sentinel, file], join(this.#folder, 'sentinel.log'));
    this.#watch.start();
    await until(async () => (await ask(watchPort, 'PING')).startsWith('+PONG'));
    return this;
  }

  async master(): Promise<Program | undefined> {
    for (const [n, port] of this.ports.entries()) {
      const answer = await ask(port, 'INFO replication').catch(() => '');
      if (answer.includes('role:master')) return this.#servers[n];
    }
    return undefined;
  }

  async stop(): Promise<void> {
    for (const each of [this.#watch, ...this.#servers]) await each?.kill();
  }
}

/** The first bytes of the answer to a command. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(1_000, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('data', (data) => {
      resolve(data.toString('latin1'));
      socket.destroy();
    });
    socket.write(`${command}\r\n`);
  });
}

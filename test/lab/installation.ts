import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Admin } from '@platformatic/kafka';
import { TestKafka } from '../support/kafka.ts';
import { freePort } from '../support/ports.ts';
import { type Part, part } from '../support/processes.ts';
import { isWhole } from '../support/ready.ts';
import { Gate } from './gate.ts';
import { type Balanced, haproxyConfig, PRIMARY, READY, REDIS_MASTER } from './haproxy.ts';
import { atPort, PatroniCluster } from './patroni.ts';
import { Program } from './process-tree.ts';
import type { LabPrograms } from './programs.ts';
import { RedisPair } from './redis-pair.ts';
import { until } from './until.ts';

const GATEWAYS = 3;
const APIS = 2;
const BROKERS = 3;
const PARTITIONS = 6;
/** of the disk of a gateway, and of what its spool leaves free */
const DISK_BYTES = 128 * 2 ** 20;
const FREE_BYTES = 16 * 2 ** 20;
/** of a program, where the laboratory fails */
const LOG_LINES = 40;
/** Patroni says where in its code a check of its health was closed by HAProxy. */
const OF_A_CHECK = /^(?:\s|Traceback|Exception|ConnectionResetError|BrokenPipeError|-{10,}|$)/;
export const TOPIC = 'fleetgate.default';

/** An API process: it reaches the database, and gateways reach it, through gates. */
export interface LabApi {
  readonly process: Part;
  readonly toDatabase: Gate;
}

export interface LabGateway {
  readonly process: Part;
  /** to each of the APIs */
  readonly toApis: readonly Gate[];
  /** its DATA_DIR; on a small disk of its own where one can be mounted */
  readonly folder: string;
  readonly hasOwnDisk: boolean;
}

/**
 * Three gateways, two APIs, PostgreSQL under Patroni with etcd, Redis with a replica and a sentinel, three Kafka brokers;
 * devices, services and APIs reach what they need through HAProxy.
 */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetgate-lab-'));
  readonly apis: LabApi[] = [];
  readonly gateways: LabGateway[] = [];
  postgres!: PatroniCluster;
  redis!: RedisPair;
  kafka!: TestKafka;
  haproxy!: Program;
  /** of HAProxy */
  devicePort = 0;
  url = '';
  /** through HAProxy */
  databaseUrl = '';

  async start(programs: LabPrograms): Promise<this> {
    // servers run as users of their own below it
    chmodSync(this.folder, 0o755);
    this.postgres = await PatroniCluster.start(this.folder, programs.postgres);
    this.redis = await new RedisPair(this.folder, programs.redis, programs.sentinel).start();
    this.kafka = await TestKafka.start(programs.kafka, BROKERS);
    await this.#createTopic();
    const ports = { postgres: await freePort(), redis: await freePort() };
    const first = await this.#startHaproxy(programs.haproxy, 'data', this.#dataBackends(ports));
    this.#others.push(first);
    const database = await this.postgres.database(ports.postgres);
    this.databaseUrl = database;
    for (let n = 1; n <= APIS; n++) this.apis.push(await this.#startApi(n, database, ports));
    for (let n = 1; n <= GATEWAYS; n++) this.gateways.push(await this.#startGateway(n));
    this.devicePort = await freePort();
    const http = await freePort();
    this.url = `http://127.0.0.1:${http}`;
    this.haproxy = await this.#startHaproxy(programs.haproxy, 'front', this.#frontBackends(this.devicePort, http));
    await until(() => isWhole(this.url));
    return this;
  }

  brokers(): string {
    return Array.from({ length: BROKERS }, (_, n) => this.kafka.address(n)).join(',');
  }

  /** The ends of the logs of its programs. */
  lastLines(): string[] {
    const files = readdirSync(this.folder).filter((name) => name.endsWith('.log'));
    return files.flatMap((name) => {
      const all = readFileSync(join(this.folder, name), 'utf8').trimEnd().split('\n');
      const lines = all.filter((line) => !OF_A_CHECK.test(line)).slice(-LOG_LINES);
      return lines.map((line) => `${name}: ${line}`);
    });
  }

  async stop(): Promise<void> {
    for (const { process, toApis } of this.gateways) {
      await process.kill();
      for (const gate of toApis) await gate.stop();
    }
    for (const { process, toDatabase } of this.apis) {
      await process.kill();
      await toDatabase.stop();
    }
    for (const each of [this.haproxy, ...this.#others]) await each?.kill();
    await this.kafka?.remove();
    await this.redis?.stop();
    await this.postgres?.stop();
    for (const { folder, hasOwnDisk } of this.gateways) if (hasOwnDisk) spawnSync('umount', [folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  readonly #others: Program[] = [];
  readonly #devicePorts: number[] = [];

  async #createTopic(): Promise<void> {
    const admin = new Admin({ clientId: 'laboratory', bootstrapBrokers: this.brokers().split(',') });
    const configs = [{ name: 'min.insync.replicas', value: '2' }];
    await admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: BROKERS, configs });
    await admin.close();
  }

  async #startApi(n: number, database: string, ports: { postgres: number; redis: number }): Promise<LabApi> {
    const toDatabase = await new Gate(await freePort(), ports.postgres).start();
    const process = await part({
      ROLE: 'api',
      DATABASE_URL: atPort(database, toDatabase.port),
      REDIS_URL: `redis://127.0.0.1:${ports.redis}/0`,
      DATA_DIR: join(this.folder, `api-${n}`),
      HISTORY_URL: join(this.folder, 'history'),
      WEBHOOK_PRIVATE: 'true',
      AUTO_REGISTER: 'true',
      LOG_LEVEL: 'fatal',
    });
    await process.start();
    return { process, toDatabase };
  }

  async #startGateway(n: number): Promise<LabGateway> {
    const folder = join(this.folder, `gateway-${n}`);
    mkdirSync(folder);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
    const toApis: Gate[] = [];
    for (const { process } of this.apis) {
      toApis.push(await new Gate(await freePort(), Number(new URL(process.url).port)).start());
    }
    const devicePort = await freePort();
    this.#devicePorts.push(devicePort);
    const process = await part({
      ROLE: 'gateway',
      API_URL: toApis.map(({ port }) => `http://127.0.0.1:${port}`).join(', '),
      DATA_DIR: folder,
      AUTO_PORT: String(devicePort),
      AUTO_REGISTER: 'true',
      SPOOL_MIN_FREE_BYTES: String(FREE_BYTES),
      LOG_LEVEL: 'fatal',
    });
    await process.start();
    return { process, toApis, folder, hasOwnDisk: mounted.status === 0 };
  }

  #dataBackends(ports: { postgres: number; redis: number }): readonly Balanced[] {
    const members = this.postgres.members.map(({ name, port, restPort }) => ({ name, port, checkPort: restPort }));
    const servers = this.redis.ports.map((port, n) => ({ name: `redis-${n + 1}`, port, checkPort: port }));
    return [
      { name: 'postgres', port: ports.postgres, backends: members, check: PRIMARY },
      { name: 'redis', port: ports.redis, backends: servers, check: REDIS_MASTER },
    ];
  }

  #frontBackends(devices: number, http: number): readonly Balanced[] {
    const gateways = this.gateways.map(({ process }, n) => ({
      name: `gateway-${n + 1}`,
      port: this.#devicePorts[n]!,
      checkPort: Number(new URL(process.url).port),
    }));
    const apis = this.apis.map(({ process }, n) => {
      const port = Number(new URL(process.url).port);
      return { name: `api-${n + 1}`, port, checkPort: port };
    });
    return [
      { name: 'devices', port: devices, backends: gateways, check: READY },
      { name: 'http', port: http, backends: apis, check: READY },
    ];
  }

  async #startHaproxy(program: string, name: string, all: readonly Balanced[]): Promise<Program> {
    const file = join(this.folder, `haproxy-${name}.cfg`);
    writeFileSync(file, haproxyConfig(all));
    const started = new Program(
      `haproxy ${name}`,
      [program, '-db', '-f', file],
      join(this.folder, `haproxy-${name}.log`),
    );
    started.start();
    return started;
  }
}

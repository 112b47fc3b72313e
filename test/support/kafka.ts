import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Certificates } from './certificates.ts';
import { freePort } from './ports.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** small, and started soon rather than fast later */
const JVM = { KAFKA_HEAP_OPTS: '-Xmx192m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto' };
/** for benchmarks */
export const FAST = { KAFKA_HEAP_OPTS: '-Xmx1g -Xshare:auto' };
const CLUSTER = 'AAAAAAAAAAAAAAAAAAAAAQ';

interface BrokerPorts {
  readonly client: number;
  readonly tls: number;
  readonly controller: number;
}

/** A record as Kafka's own consumer prints it. */
export interface KafkaRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Kafka brokers of the test's own on loopback. Their ports stay the same when they are started again. */
export class TestKafka {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fleetgate-kafka-'));
  readonly #program: string;
  readonly #certificates: Certificates | undefined;
  readonly #jvm: Readonly<Record<string, string>>;
  readonly #ports: BrokerPorts[] = [];
  readonly #running = new Map<number, ServerProcess>();

  private constructor(program: string, certificates: Certificates | undefined, jvm: Readonly<Record<string, string>>) {
    this.#program = program;
    this.#certificates = certificates;
    this.#jvm = jvm;
  }

  /** With certificates there is a further listener, over TLS, for the user `fleet` with the password `secret`. */
  static async start(
    program: string,
    brokers: number,
    certificates?: Certificates,
    jvm: Readonly<Record<string, string>> = JVM,
  ): Promise<TestKafka> {
    const kafka = new TestKafka(program, certificates, jvm);
    for (let n = 0; n < brokers; n++) {
      kafka.#ports.push({ client: await freePort(), tls: await freePort(), controller: await freePort() });
    }
    try {
      for (let n = 0; n < brokers; n++) kafka.#configure(n);
      await kafka.#format();
      await Promise.all(kafka.#ports.map((_, n) => kafka.startBroker(n)));
      return kafka;
    } catch (error) {
      await kafka.remove();
      throw error;
    }
  }

  /** `host:port` of a broker */
  address(n = 0): string {
    return `127.0.0.1:${this.#ports[n]!.client}`;
  }

  /** of the listener over TLS */
  tlsAddress(n = 0): string {
    return `localhost:${this.#ports[n]!.tls}`;
  }

  async startBroker(n: number): Promise<void> {
    const args = ['kafka.Kafka', this.#file(n)];
    this.#running.set(n, await startServer(this.#program, args, 'Kafka Server started', this.#env));
  }

  async kill(n: number): Promise<void> {
    await this.#running.get(n)?.stop('SIGKILL');
    this.#running.delete(n);
  }

  /** The first `count` records of a topic, read by Kafka's own console consumer; their values only if they are wanted. */
  async read(topic: string, count: number, n = 0, withValues = true): Promise<KafkaRecord[]> {
    const properties = ['print.partition', 'print.offset', 'print.key', 'print.headers'].flatMap((name) => [
      '--property',
      `${name}=true`,
    ]);
    properties.push('--property', `print.value=${withValues}`);
    const args = ['--bootstrap-server', this.address(n), '--topic', topic, '--from-beginning', ...properties];
    const { stdout } = await promisify(execFile)(
      this.#program,
      ['org.apache.kafka.tools.consumer.ConsoleConsumer', ...args, '--max-messages', String(count)],
      { env: { ...process.env, ...this.#env }, maxBuffer: 256 * 1024 * 1024, timeout: 240_000 },
    );
    return stdout.split('\n').flatMap((line) => (line.startsWith('Partition:') ? [readLine(line)] : []));
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running.values()].map((one) => one.stop('SIGKILL')));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #env(): Readonly<Record<string, string>> {
    return { ...this.#jvm, LOG_DIR: join(this.#folder, 'log') };
  }

  #file(n: number): string {
    return join(this.#folder, `${n}.properties`);
  }

  #configure(n: number): void {
    const { client, tls, controller } = this.#ports[n]!;
    const voters = this.#ports.map((ports, at) => `${at}@127.0.0.1:${ports.controller}`).join(',');
    const hasTls = this.#certificates !== undefined;
    const names = ['PLAINTEXT:PLAINTEXT', 'CONTROLLER:PLAINTEXT', ...(hasTls ? ['TLS:SASL_SSL'] : [])];
    const secure = hasTls ? [`TLS://localhost:${tls}`] : [];
    const open = [`PLAINTEXT://127.0.0.1:${client}`, ...secure];
    const lines = [
      'process.roles=broker,controller',
      `node.id=${n}`,
      `controller.quorum.voters=${voters}`,
      `listeners=${[...open, `CONTROLLER://127.0.0.1:${controller}`].join(',')}`,
      `advertised.listeners=${open.join(',')}`,
      'controller.listener.names=CONTROLLER',
      `listener.security.protocol.map=${names.join(',')}`,
      `log.dirs=${join(this.#folder, String(n))}`,
      'auto.create.topics.enable=false',
      'offsets.topic.num.partitions=1',
      `offsets.topic.replication.factor=${this.#ports.length}`,
      'group.initial.rebalance.delay.ms=0',
      // a broker is taken for dead after this time
      'broker.session.timeout.ms=3000',
      'broker.heartbeat.interval.ms=500',
      'log.cleaner.dedupe.buffer.size=4194304',
      'log.index.size.max.bytes=1048576',
      'num.network.threads=2',
      'num.io.threads=2',
      'background.threads=2',
      ...this.#tlsLines(),
      '',
    ];
    writeFileSync(this.#file(n), lines.join('\n'));
  }

  #tlsLines(): string[] {
    if (this.#certificates === undefined) return [];
    const { cert, key } = this.#certificates.server;
    const store = join(this.#folder, 'server.pem');
    writeFileSync(store, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'));
    const login = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
    return [
      'sasl.enabled.mechanisms=SCRAM-SHA-512',
      'listener.name.tls.ssl.keystore.type=PEM',
      `listener.name.tls.ssl.keystore.location=${store}`,
      `listener.name.tls.scram-sha-512.sasl.jaas.config=${login}`,
    ];
  }

  /** Formats the folder of one broker: those of the others differ in the number only. */
  async #format(): Promise<void> {
    const user = ['--add-scram', 'SCRAM-SHA-512=[name=fleet,password=secret]'];
    const args = ['kafka.tools.StorageTool', 'format', '-t', CLUSTER, '-c', this.#file(0), ...user];
    await promisify(execFile)(this.#program, args, { env: { ...process.env, ...this.#env }, timeout: 120_000 });
    const first = join(this.#folder, '0');
    for (let n = 1; n < this.#ports.length; n++) {
      const folder = join(this.#folder, String(n));
      mkdirSync(folder);
      cpSync(join(first, 'bootstrap.checkpoint'), join(folder, 'bootstrap.checkpoint'));
      const id = Buffer.alloc(16, n).toString('base64url');
      const lines = ['version=1', `cluster.id=${CLUSTER}`, `node.id=${n}`, `directory.id=${id}`, ''];
      writeFileSync(join(folder, 'meta.properties'), lines.join('\n'));
    }
  }
}

/** Partition, offset, headers, key and value, separated by tabs. */
function readLine(line: string): KafkaRecord {
  const [partition, offset, headers, key, ...value] = line.split('\t');
  return {
    partition: Number(partition!.slice('Partition:'.length)),
    offset: Number(offset!.slice('Offset:'.length)),
    key: key!,
    headers: Object.fromEntries(headers!.split(',').map((header) => header.split(/:(.*)/s).slice(0, 2))),
    value: value.join('\t'),
  };
}

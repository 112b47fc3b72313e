import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** Debian's program switches to another user, which cannot write to folders of a test. */
const DEBIAN = '/usr/lib/rabbitmq/bin/rabbitmq-server';

/** A RabbitMQ of the test's own on loopback. Its port stays the same when it is started again. */
export class TestRabbit {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fleetgate-rabbitmq-'));
  readonly #program: string;
  #ports: { readonly port: number; readonly epmd: number; readonly node: number } | undefined;
  #process: ServerProcess | undefined;

  constructor(program: string) {
    this.#program = existsSync(DEBIAN) ? DEBIAN : program;
  }

  get port(): number {
    return this.#ports!.port;
  }

  get url(): string {
    return `amqp://guest:guest@127.0.0.1:${this.port}`;
  }

  /** `lines`: of rabbitmq.conf */
  async start(lines: readonly string[] = []): Promise<this> {
    this.#ports ??= { port: await freePort(), epmd: await freePort(), node: await freePort() };
    const file = join(this.#folder, 'rabbitmq.conf');
    if (!existsSync(file)) writeFileSync(file, [`listeners.tcp.1 = 127.0.0.1:${this.port}`, ...lines, ''].join('\n'));
    this.#process = await startServer(this.#program, [], 'completed with', {
      HOME: this.#folder,
      RABBITMQ_NODENAME: `test${this.port}@localhost`,
      RABBITMQ_MNESIA_BASE: join(this.#folder, 'data'),
      RABBITMQ_LOG_BASE: join(this.#folder, 'log'),
      RABBITMQ_CONFIG_FILE: file,
      RABBITMQ_PID_FILE: join(this.#folder, 'pid'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(this.#folder, 'plugins'),
      RABBITMQ_DIST_PORT: String(this.#ports.node),
      ERL_EPMD_PORT: String(this.#ports.epmd),
      // it may be ended although it has not yet noticed that the server is gone
      ERL_EPMD_RELAXED_COMMAND_CHECK: 'true',
    });
    return this;
  }

  async kill(): Promise<void> {
    await this.#process?.stop('SIGKILL');
    this.#process = undefined;
  }

  async remove(): Promise<void> {
    await this.kill();
    // the name server that it has started is a process of its own
    if (this.#ports !== undefined) spawnSync('epmd', ['-port', String(this.#ports.epmd), '-kill']);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StoreContainer } from './containers.ts';
import { freePort } from './ports.ts';

/**
 * A Redis server of the test's own, on loopback and a free port, with append-only files: a local program with a temporary
 * folder, or where FLEETGATE_TEST_REDIS names an image a container.
 */
export class TestRedis {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetgate-redis-'));
  readonly #program: string;
  #port = 0;
  #process: ChildProcess | undefined;
  #container: StoreContainer | undefined;

  readonly #more: readonly string[];

  /** `more`: further settings, as on the command line */
  constructor(program: string, more: readonly string[] = []) {
    this.#program = program;
    this.#more = more;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}/0`;
  }

  async start(): Promise<this> {
    this.#port ||= await freePort();
    const durable = [
      '--appendonly',
      'yes',
      '--appendfsync',
      'everysec',
      '--maxmemory-policy',
      'noeviction',
      '--save',
      '',
      ...this.#more,
    ];
    const image = process.env['FLEETGATE_TEST_REDIS'];
    if (image !== undefined) {
      this.#container ??= new StoreContainer(image, this.#port, durable);
      await this.#container.start();
    } else {
      const settings = ['--port', String(this.#port), '--bind', '127.0.0.1', '--dir', this.folder];
      this.#process = spawn(this.#program, [...settings, ...durable], { stdio: 'ignore' });
    }
    while (!(await answers(this.#port))) {
      if (this.#process !== undefined && this.#process.exitCode !== null)
        throw new Error('redis-server does not start');
      await wait(20);
    }
    return this;
  }

  /** kill -9 */
  async kill(): Promise<void> {
    if (this.#container !== undefined) return this.#container.kill();
    const { exitCode, signalCode } = this.#process!;
    if (exitCode !== null || signalCode !== null) return;
    const gone = once(this.#process!, 'exit');
    this.#process!.kill('SIGKILL');
    await gone;
  }

  /** Sends one command; the bytes of its answer. */
  async ask(command: string): Promise<string> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.write(`${command}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString('latin1');
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.#container?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Loaded and ready, not only listening. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(1_000) })) as [Buffer];
    return answer.toString('latin1').startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

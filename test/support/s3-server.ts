import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { S3Settings } from '../../src/server/history/index.ts';

const CREDENTIALS = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };
const WAIT_MS = 100;

/** A Versity S3 Gateway of the test's own, behind a proxy that sees its requests. Its objects are files in `folder`. */
export class TestS3 {
  readonly #root = mkdtempSync(join(tmpdir(), 'fleetgate-s3-'));
  /** of the bucket */
  readonly folder = join(this.#root, 'data', 'fleet');
  readonly #program: string;
  readonly #proxy: Server;
  readonly #open = new Set<Socket>();
  /** `GET /fleet/history/… bytes=0-9` */
  readonly requests: string[] = [];
  /** bytes of bodies that were read */
  bytesRead = 0;
  /** requests are accepted and never answered */
  isHung = false;
  #port = 0;
  #process: ChildProcess | undefined;

  constructor(program: string) {
    this.#program = program;
    mkdirSync(this.folder, { recursive: true });
    this.#proxy = createServer((incoming, outgoing) => {
      this.requests.push(`${incoming.method} ${incoming.url} ${incoming.headers.range ?? ''}`.trim());
      if (this.isHung) return;
      const { method, url: path, headers } = incoming;
      const onward = request({ host: '127.0.0.1', port: this.#port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.on('data', (piece: Buffer) => {
          this.bytesRead += piece.length;
        });
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    this.#proxy.on('connection', (socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
  }

  readonly url = 's3://fleet/history';

  get settings(): S3Settings {
    const { port } = this.#proxy.address() as AddressInfo;
    return {
      endpoint: `http://127.0.0.1:${port}`,
      pathStyle: true,
      region: 'us-east-1',
      credentials: CREDENTIALS,
      timeoutMs: 60_000,
    };
  }

  async start(): Promise<this> {
    if (!this.#proxy.listening) await once(this.#proxy.listen(0, '127.0.0.1'), 'listening');
    this.#port ||= await freePort();
    const { accessKeyId, secretAccessKey } = CREDENTIALS;
    const process = spawn(
      this.#program,
      ['--port', `127.0.0.1:${this.#port}`, '--quiet', '--access', accessKeyId, '--secret', secretAccessKey]
        // no extended attributes: not every file system of a test machine has them
        .concat(['posix', '--nometa', join(this.#root, 'data')]),
      { stdio: 'ignore' },
    );
    this.#process = process;
    while (!(await answers(this.#port))) {
      if (process.exitCode !== null) throw new Error(`versitygw ended with ${process.exitCode}`);
      await wait(WAIT_MS);
    }
    return this;
  }

  /** Makes objects of the files of a folder, below the prefix. */
  copyFrom(folder: string): void {
    cpSync(folder, join(this.folder, 'history'), { recursive: true });
  }

  /** Requests that come now are refused, those that run are cut off. */
  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return;
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  async remove(): Promise<void> {
    await this.kill();
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#proxy.close(resolve));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

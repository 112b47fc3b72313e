import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** NATS servers of the test's own on loopback, with JetStream. Their ports stay the same when they are started again. */
export class TestNats {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fleetgate-nats-'));
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #ports: { readonly client: number; readonly cluster: number }[] = [];
  readonly #running = new Map<number, ServerProcess>();

  private constructor(program: string, args: readonly string[]) {
    this.#program = program;
    this.#args = args;
  }

  static async start(program: string, servers: number, args: readonly string[] = []): Promise<TestNats> {
    const nats = new TestNats(program, args);
    for (let n = 0; n < servers; n++) nats.#ports.push({ client: await freePort(), cluster: await freePort() });
    await Promise.all(nats.#ports.map((_, n) => nats.startServer(n)));
    return nats;
  }

  /** `host:port` of a server */
  address(n = 0, host = '127.0.0.1'): string {
    return `${host}:${this.#ports[n]!.client}`;
  }

  async startServer(n: number): Promise<void> {
    const { client, cluster } = this.#ports[n]!;
    const routes = this.#ports.map((ports) => `nats://127.0.0.1:${ports.cluster}`).join(',');
    const clustered = ['--cluster_name', 'test', '--cluster', `nats://127.0.0.1:${cluster}`, '--routes', routes];
    const args = ['-js', '-sd', join(this.#folder, String(n)), '-a', '127.0.0.1', '-p', String(client)];
    const all = [...args, '-n', `n${n}`, ...(this.#ports.length > 1 ? clustered : []), ...this.#args];
    this.#running.set(n, await startServer(this.#program, all, 'Server is ready'));
  }

  async kill(n = 0): Promise<void> {
    await this.#running.get(n)?.stop('SIGKILL');
    this.#running.delete(n);
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running.values()].map((one) => one.stop('SIGKILL')));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

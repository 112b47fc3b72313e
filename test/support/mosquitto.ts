import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './ports.ts';

/** A Mosquitto of the test's own on loopback. Its port stays the same when it is started again. */
export class TestMosquitto {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fleetgate-mosquitto-'));
  readonly #program: string;
  readonly #savesEachChange: boolean;
  #port = 0;
  #process: ChildProcess | undefined;

  /** It writes all that it keeps after each change, which outlasts a kill, or only when it is stopped. */
  constructor(program: string, savesEachChange = true) {
    this.#program = program;
    this.#savesEachChange = savesEachChange;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    this.#port ||= await freePort();
    const file = join(this.#folder, 'mosquitto.conf');
    const lines = [`listener ${this.#port} 127.0.0.1`, 'allow_anonymous true', 'user root', 'max_queued_messages 0'];
    const durable = ['persistence true', `persistence_location ${this.#folder}/`];
    const each = ['autosave_interval 1', 'autosave_on_changes true'];
    writeFileSync(file, [...lines, ...durable, ...(this.#savesEachChange ? each : []), ''].join('\n'));
    this.#process = spawn(this.#program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const broker = this.#process;
    await new Promise<void>((resolve, reject) => {
      let text = '';
      broker.stderr!.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('running')) resolve();
      });
      broker.once('exit', () => reject(new Error(`mosquitto does not start: ${text}`)));
    });
    return this;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null) {
      const gone = once(this.#process, 'exit');
      this.#process.kill(signal);
      await gone;
    }
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A program of the laboratory, in a process group of its own with its output in a file. */
export class Program {
  readonly name: string;
  readonly #command: readonly string[];
  readonly #output: string;
  readonly #env: Readonly<Record<string, string>>;
  #pid: number | undefined;
  #exited: Promise<unknown> = Promise.resolve();

  constructor(name: string, command: readonly string[], output: string, env: Readonly<Record<string, string>> = {}) {
    this.name = name;
    this.#command = command;
    this.#output = output;
    this.#env = env;
  }

  start(): void {
    const file = openSync(this.#output, 'a');
    const [program, ...args] = this.#command;
    const env = { ...process.env, ...this.#env };
    const child = spawn(program!, args, { stdio: ['ignore', file, file], detached: true, env });
    closeSync(file);
    this.#pid = child.pid;
    this.#exited = once(child, 'exit').then(() => {
      this.#pid = undefined;
    });
    child.once('error', () => {
      this.#pid = undefined;
    });
  }

  /** To the program and all that it has started, also what has left its group. */
  signal(name: NodeJS.Signals): void {
    if (this.#pid === undefined) return;
    for (const pid of [this.#pid, ...descendants(this.#pid)]) send(pid, name);
  }

  async kill(): Promise<void> {
    this.signal('SIGCONT');
    this.signal('SIGKILL');
    await this.#exited;
  }
}

/** Sends a signal to a process that is no child of this one, with its children. */
export function signalTree(pid: number, name: NodeJS.Signals): void {
  for (const one of [pid, ...descendants(pid)]) send(one, name);
}

function descendants(pid: number): number[] {
  let children: number[];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended
  }
}

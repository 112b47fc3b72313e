import { type FileHandle, open } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { errorCode } from './errors.ts';

/** Name of the socket in the folder of the spool. */
export const LOCK_SOCKET = 'lock.sock';
const MAX_REQUEST_BYTES = 64 * 1024;
/** How long a client may take for its request, and a holder to say who it is. */
export const WHO_TIMEOUT_MS = 2_000;

/** Answers one request that came through the socket. */
export type LockHandler = (request: unknown) => Promise<unknown>;

/**
 * The listening Unix socket of a lock: one request, as a line of JSON, for each connection, and one line of answer.
 * `who` is answered with the process id, other requests by `handler`.
 */
export class LockSocket {
  handler: LockHandler = async () => ({ error: 'The spool is not ready yet' });
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isServing = false;

  constructor() {
    // a process that looks for the holder may connect before the lock is taken; it is served afterwards
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      if (this.#isServing) this.#serve(socket);
    });
  }

  listen(path: string): Promise<void> {
    return listen(this.#server, path);
  }

  /** Answers requests, also those of clients that have connected before. */
  serve(): void {
    this.#isServing = true;
    for (const socket of this.#sockets) this.#serve(socket);
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      // a client that does not close its side would keep the server open
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #serve(socket: Socket): void {
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(WHO_TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > MAX_REQUEST_BYTES) socket.destroy();
      const end = text.indexOf('\n');
      if (end < 0) return;
      socket.removeAllListeners('data');
      socket.setTimeout(0);
      void this.#answer(text.slice(0, end)).then((answer) => socket.end(`${JSON.stringify(answer)}\n`));
    });
  }

  async #answer(line: string): Promise<unknown> {
    try {
      const request = JSON.parse(line) as { do?: unknown };
      if (request.do === 'who') return { pid: process.pid };
      return await this.handler(request);
    } catch (error) {
      return { error: (error as Error).message };
    }
  }
}

/** Asks the process that holds a folder; undefined if none does. */
export async function askHolder(folder: string, request: object, timeoutMs: number): Promise<unknown> {
  const handle = await open(folder, 'r');
  try {
    return await ask(shortPath(handle, folder, LOCK_SOCKET), request, timeoutMs);
  } finally {
    await handle.close();
  }
}

/**
 * The path of a socket has at most 107 bytes. On Linux the descriptor of the folder replaces the path of the folder.
 */
export const shortPath = (handle: FileHandle, folder: string, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : `${folder}/${name}`;

export async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // without readableAll and writableAll only the owner may connect
    server.listen({ path }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  server.unref();
}

/** One request, one line of answer; undefined if no process listens, `{ error }` if there is no answer in time. */
export function ask(path: string, request: object, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    let text = '';
    const socket = createConnection({ path });
    socket.setEncoding('utf8');
    const settle = (answer: unknown) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => settle({ error: 'The process that holds the spool does not answer' }));
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('end', () => {
      try {
        settle(JSON.parse(text));
      } catch {
        settle({ error: 'The process that holds the spool gave no answer' });
      }
    });
    socket.on('error', (error) => {
      const code = errorCode(error);
      settle(code === 'ECONNREFUSED' || code === 'ENOENT' ? undefined : { error: error.message });
    });
  });
}

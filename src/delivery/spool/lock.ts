import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { errorCode, SpoolLocked } from './errors.ts';

const LOCK = 'lock.sock';
const REQUEST_BYTES = 64 * 1024;
const ANSWER_MS = 2_000;

/** Answers one request that came over the lock's socket. */
export type LockHandler = (request: unknown) => Promise<unknown>;

/**
 * The lock of a folder is a listening Unix socket in it: the kernel takes it away with its process, so a killed holder
 * leaves no doubt and a reused pid cannot pretend to be it. The same socket takes an operator's requests. On Linux an
 * abstract socket named after the folder's inode stands before it, so that two starters never clear one dead lock at a
 * time; only processes of different network namespaces (containers) still depend on the socket in the folder alone.
 */
export class FolderLock {
  handler: LockHandler = async () => ({ error: 'The spool is not ready yet' });
  readonly #server: Server;
  readonly #guard: Server | undefined;
  readonly #folder: FileHandle;
  readonly #path: string;
  readonly #inode: number;

  private constructor(server: Server, guard: Server | undefined, folder: FileHandle, path: string, inode: number) {
    this.#server = server;
    this.#guard = guard;
    this.#folder = folder;
    this.#path = path;
    this.#inode = inode;
    server.on('connection', (socket) => this.#serve(socket));
  }

  /** Takes the lock, over from a dead process if need be. Throws SpoolLocked where a live one holds it. */
  static async take(folder: string): Promise<FolderLock> {
    const handle = await open(folder, 'r');
    const own = `lock.${randomBytes(6).toString('hex')}.sock`;
    const server = createServer();
    let guard: Server | undefined;
    try {
      guard = await takeGuard(handle, folder);
      await listen(server, shortPath(handle, folder, own));
      const { ino } = await stat(`${folder}/${own}`);
      for (let attempt = 0; !(await tryLink(folder, own)); attempt++) {
        if (attempt === 5) throw new SpoolLocked(folder, 'several processes that start at once');
        await clearDead(handle, folder);
      }
      await unlink(`${folder}/${own}`);
      return new FolderLock(server, guard, handle, `${folder}/${LOCK}`, ino);
    } catch (error) {
      await unlink(`${folder}/${own}`).catch(() => undefined);
      server.close();
      guard?.close();
      await handle.close();
      throw error;
    }
  }

  async release(): Promise<void> {
    const now = await stat(this.#path).catch(() => undefined);
    if (now?.ino === this.#inode) await unlink(this.#path).catch(() => undefined);
    await new Promise((resolve) => this.#server.close(resolve));
    await new Promise((resolve) => (this.#guard === undefined ? resolve(undefined) : this.#guard.close(resolve)));
    await this.#folder.close();
  }

  #serve(socket: Socket): void {
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > REQUEST_BYTES) socket.destroy();
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

/** Asks the process that holds a folder; undefined where none does. */
export async function askHolder(folder: string, request: object, timeoutMs: number): Promise<unknown> {
  const handle = await open(folder, 'r');
  try {
    return await ask(shortPath(handle, folder, LOCK), request, timeoutMs);
  } finally {
    await handle.close();
  }
}

/** A socket's path may have 107 bytes, a data folder's more: on Linux the folder's descriptor stands for it. */
const shortPath = (handle: FileHandle, folder: string, name: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : `${folder}/${name}`;

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // readableAll and writableAll stay off: only the owner may ask
    server.listen({ path }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  server.unref();
}

async function takeGuard(handle: FileHandle, folder: string): Promise<Server | undefined> {
  if (process.platform !== 'linux') return undefined;
  const { dev, ino } = await handle.stat();
  const guard = createServer((socket) => socket.destroy());
  try {
    await listen(guard, `\0fleetgate-spool-${dev}-${ino}`);
    return guard;
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    await refuseAlive(handle, folder, LOCK);
    throw new SpoolLocked(folder, 'another process');
  }
}

async function tryLink(folder: string, own: string): Promise<boolean> {
  try {
    await link(`${folder}/${own}`, `${folder}/${LOCK}`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead process. It is moved aside before it is judged: a lock that another starter put there in
 * the meantime is then seen to be alive, and put back.
 */
async function clearDead(handle: FileHandle, folder: string): Promise<void> {
  await refuseAlive(handle, folder, LOCK);
  const aside = `lock.${randomBytes(6).toString('hex')}.old`;
  try {
    await rename(`${folder}/${LOCK}`, `${folder}/${aside}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await refuseAlive(handle, folder, aside);
  } catch (error) {
    await link(`${folder}/${aside}`, `${folder}/${LOCK}`).catch(() => undefined);
    throw error;
  } finally {
    await unlink(`${folder}/${aside}`).catch(() => undefined);
  }
}

async function refuseAlive(handle: FileHandle, folder: string, name: string): Promise<void> {
  const answer = await ask(shortPath(handle, folder, name), { do: 'who' }, ANSWER_MS);
  if (answer === undefined) return;
  const { pid } = answer as { pid?: unknown };
  throw new SpoolLocked(folder, typeof pid === 'number' ? `process ${pid}` : 'another process');
}

/** One request, one line of answer; undefined where nobody listens; `{ error }` where nothing comes in time. */
function ask(path: string, request: object, timeoutMs: number): Promise<unknown> {
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

import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { errorCode, SpoolLocked } from './errors.ts';
import { ask, LOCK_SOCKET, type LockHandler, LockSocket, listen, shortPath, WHO_TIMEOUT_MS } from './lock-socket.ts';

/**
 * The lock of a folder is a listening Unix socket in it. The kernel closes it with its process: after a kill no lock is
 * left that seems to be held, and a process that is given the same id later does not seem to hold it. The socket also
 * takes the requests of operators. On Linux an abstract socket, named after the inode of the folder, is taken first, so
 * that two processes never remove the lock of a dead one at the same time. Processes of different network namespaces
 * (containers) do not share it, and depend on the socket in the folder alone.
 */
export class FolderLock {
  readonly #socket: LockSocket;
  readonly #guard: Server | undefined;
  readonly #folder: FileHandle;
  readonly #path: string;
  readonly #inode: number;

  private constructor(socket: LockSocket, guard: Server | undefined, folder: FileHandle, path: string, inode: number) {
    this.#socket = socket;
    this.#guard = guard;
    this.#folder = folder;
    this.#path = path;
    this.#inode = inode;
    socket.serve();
  }

  set handler(handler: LockHandler) {
    this.#socket.handler = handler;
  }

  /** Takes the lock, also from a process that has died. Throws SpoolLocked if a running one holds it. */
  static async take(folder: string): Promise<FolderLock> {
    const handle = await open(folder, 'r');
    const own = `lock.${randomBytes(6).toString('hex')}.sock`;
    const socket = new LockSocket();
    let guard: Server | undefined;
    try {
      guard = await takeGuard(handle, folder);
      await socket.listen(shortPath(handle, folder, own));
      const { ino } = await stat(`${folder}/${own}`);
      for (let attempt = 0; !(await tryLink(folder, own)); attempt++) {
        if (attempt === 5) throw new SpoolLocked(folder, 'several processes that start at once');
        await clearDead(handle, folder);
      }
      await unlink(`${folder}/${own}`);
      return new FolderLock(socket, guard, handle, `${folder}/${LOCK_SOCKET}`, ino);
    } catch (error) {
      await unlink(`${folder}/${own}`).catch(() => undefined);
      void socket.close();
      guard?.close();
      await handle.close();
      throw error;
    }
  }

  async release(): Promise<void> {
    const now = await stat(this.#path).catch(() => undefined);
    if (now?.ino === this.#inode) await unlink(this.#path).catch(() => undefined);
    await this.#socket.close();
    await new Promise((resolve) => (this.#guard === undefined ? resolve(undefined) : this.#guard.close(resolve)));
    await this.#folder.close();
  }
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
    await refuseAlive(handle, folder, LOCK_SOCKET);
    throw new SpoolLocked(folder, 'another process');
  }
}

async function tryLink(folder: string, own: string): Promise<boolean> {
  try {
    await link(`${folder}/${own}`, `${folder}/${LOCK_SOCKET}`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead process. It is renamed before it is tried again: if another process has taken the lock in
 * the meantime, that lock answers and is linked back.
 */
async function clearDead(handle: FileHandle, folder: string): Promise<void> {
  await refuseAlive(handle, folder, LOCK_SOCKET);
  const aside = `lock.${randomBytes(6).toString('hex')}.old`;
  try {
    await rename(`${folder}/${LOCK_SOCKET}`, `${folder}/${aside}`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await refuseAlive(handle, folder, aside);
  } catch (error) {
    await link(`${folder}/${aside}`, `${folder}/${LOCK_SOCKET}`).catch(() => undefined);
    throw error;
  } finally {
    await unlink(`${folder}/${aside}`).catch(() => undefined);
  }
}

async function refuseAlive(handle: FileHandle, folder: string, name: string): Promise<void> {
  const answer = await ask(shortPath(handle, folder, name), { do: 'who' }, WHO_TIMEOUT_MS);
  if (answer === undefined) return;
  const { pid } = answer as { pid?: unknown };
  throw new SpoolLocked(folder, typeof pid === 'number' ? `process ${pid}` : 'another process');
}

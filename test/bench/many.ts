import { connect, type Socket } from 'node:net';
import { simulatedImei } from '../../src/simulation/index.ts';

export interface Clients {
  /** seconds until the last was admitted */
  readonly seconds: number;
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;

/** So many Teltonika devices connect and log in at once; resolves when each has been admitted. */
export async function connectAll(port: number, count: number, first: number): Promise<Clients> {
  const began = performance.now();
  const sockets: Socket[] = [];
  await new Promise<void>((resolve, reject) => {
    let left = count;
    const late = setTimeout(() => reject(new Error(`${left} of ${count} devices were not admitted`)), TIMEOUT_MS);
    for (let n = 0; n < count; n++) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      sockets.push(socket);
      socket.once('error', reject);
      socket.once('connect', () => socket.write(`\x00\x0f${simulatedImei(first + n)}`, 'latin1'));
      const lost = (): void => reject(new Error(`a device lost its line, ${left} to go`));
      socket.once('close', lost);
      socket.once('data', (answer: Buffer) => {
        socket.off('close', lost);
        if (answer[0] !== 1) reject(new Error('a device was refused'));
        if (--left > 0) return;
        clearTimeout(late);
        resolve();
      });
    }
  });
  return {
    seconds: (performance.now() - began) / 1000,
    async close() {
      await Promise.all(
        sockets.map((socket) => {
          const gone = new Promise((resolve) => socket.once('close', resolve));
          socket.removeAllListeners('error').on('error', () => {});
          socket.resetAndDestroy();
          return gone;
        }),
      );
    },
  };
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Figure, median } from './figure.ts';
import { connectAll } from './many.ts';

const CONNECTIONS = 10_000;
const RUNS = 3;

/** Memory of an identified idle connection: (after − before) after a forced collection, beside a bare server's. */
export async function run(): Promise<Figure[]> {
  const own = [];
  const bare = [];
  for (let round = 0; round < RUNS; round++) {
    own.push(await measure('gateway'));
    bare.push(await measure('bare'));
  }
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;
  const [a, b] = [median(own.map((m) => m.bytes)), median(bare.map((m) => m.bytes))];
  return [
    {
      name: 'memory of an identified idle connection',
      value: `${kB(a)} (bare server: ${kB(b)}; ${(a / b).toFixed(2)} times)`,
      measurements: [
        { key: 'connection', value: a, unit: 'bytes' },
        { key: 'ofBareServer', value: a / b, unit: 'times' },
      ],
    },
    {
      name: 'the same by resident memory',
      value: `${kB(median(own.map((m) => m.rss)))} (bare server: ${kB(median(bare.map((m) => m.rss)))})`,
    },
  ];
}

async function measure(kind: string): Promise<{ bytes: number; rss: number }> {
  const child = fork(join(import.meta.dirname, 'idle-child.js'), [kind], { execArgv: ['--expose-gc'] });
  const { port } = await answer<{ port: number }>(child);
  // what a first connection makes once is not a connection's
  await (await connectAll(port, 200, 500_000)).close();
  const before = await memory(child);
  const clients = await connectAll(port, CONNECTIONS, 0);
  const after = await memory(child);
  await clients.close();
  child.kill();
  return { bytes: (after.bytes - before.bytes) / CONNECTIONS, rss: (after.rss - before.rss) / CONNECTIONS };
}

const memory = (child: ChildProcess): Promise<{ bytes: number; rss: number }> => {
  child.send('measure');
  return answer(child);
};

const answer = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T;

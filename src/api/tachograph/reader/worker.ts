import { parentPort, workerData } from 'node:worker_threads';
import { readRoot } from '../../../tachograph/index.ts';
import { type Delivery, jobs, type Order } from './jobs.ts';

/** Reads and analyses in a thread of its own, so that the API goes on answering. */
const { roots: given } = workerData as { readonly roots: readonly Uint8Array[] };
const roots = given.map(readRoot).filter((root) => root !== undefined);

async function run({ id, name, request }: Order): Promise<Delivery> {
  try {
    return { id, answer: await jobs[name](request as never, roots) };
  } catch (error) {
    return { id, problem: (error as Error).stack ?? String(error) };
  }
}

parentPort?.on('message', (order: Order) => {
  void run(order).then((delivery) => parentPort?.postMessage(delivery));
});

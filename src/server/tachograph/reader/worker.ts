import { parentPort, workerData } from 'node:worker_threads';
import { readRoot } from '../engine/index.ts';
import { type Delivery, type JobName, type JobResult, jobsByName, type Order } from './jobs.ts';

/** Reads and analyses in a thread of its own, so that the API goes on answering. */
const { roots: given } = workerData as { readonly roots: readonly Uint8Array[] };
const roots = given.map(readRoot).filter((root) => root !== undefined);

const answerOf = <N extends JobName>({ name, request }: Order<N>): JobResult<N> => jobsByName[name](request, roots);

async function run(order: Order): Promise<Delivery> {
  const { id } = order;
  try {
    return { id, answer: await answerOf(order) };
  } catch (error) {
    return { id, problem: (error as Error).stack ?? String(error) };
  }
}

parentPort?.on('message', (order: Order) => {
  void run(order).then((delivery) => parentPort?.postMessage(delivery));
});

import { connect } from 'node:net';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { Journey, simulatedImei } from '../../src/simulation/index.ts';
import { startSystem } from '../support/system.ts';
import { type Figure, median } from './figure.ts';

const OUTSTANDING = 1_000;
const RUNS = 5;
const SECONDS = 2;
/** a standard reply: 7878 05, type, serial, checksum, 0D0A */
const REPLY_BYTES = 10;

/** One GT06 connection that never waits for fewer than a thousand acknowledgements. */
export async function run(): Promise<Figure[]> {
  const system = await startSystem();
  try {
    const { simulator } = (await loadCatalogue()).byId('gt06')!;
    const imei = simulatedImei(1);
    const journey = new Journey(1, Date.UTC(2026, 10, 1));
    const socket = connect({ port: system.devicePort, host: '127.0.0.1', noDelay: true });
    let bytes = 0;
    let serial = 1;
    let isRunning = false;
    const send = (count: number): void => {
      const frames = Array.from({ length: count }, () =>
        simulator.report([journey.next()], imei, (serial++ % 0xffff) + 1),
      );
      socket.write(Buffer.concat(frames));
    };
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => socket.write(simulator.login!(imei, 1)));
      socket.once('data', () => resolve());
    });
    let held = 0;
    socket.on('data', (chunk: Buffer) => {
      held += chunk.length;
      const replies = Math.floor(held / REPLY_BYTES);
      held -= replies * REPLY_BYTES;
      bytes += replies;
      if (isRunning) send(replies);
    });
    const rates = [];
    isRunning = true;
    send(OUTSTANDING);
    for (let round = 0; round <= RUNS; round++) {
      const [before, began] = [bytes, performance.now()];
      await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
      // the first round warms up
      if (round > 0) rates.push(((bytes - before) / (performance.now() - began)) * 1000);
    }
    isRunning = false;
    socket.destroy();
    return [
      {
        name: 'one GT06 connection, 1,000 outstanding',
        value: `${Math.round(median(rates))} acknowledged a second`,
        measurements: [{ key: 'acknowledged', value: median(rates), unit: '1/s' }],
      },
    ];
  } finally {
    await system.stop();
  }
}

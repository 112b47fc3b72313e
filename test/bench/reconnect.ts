import { startSystem } from '../support/system.ts';
import { type Figure, median } from './figure.ts';
import { connectAll } from './many.ts';

const DEVICES = 10_000;
const RUNS = 5;

/** All devices of a fleet lose their line and come back at once. */
export async function run(): Promise<Figure[]> {
  const system = await startSystem();
  try {
    let clients = await connectAll(system.devicePort, DEVICES, 1);
    const first = clients.seconds;
    const seconds = [];
    for (let round = 0; round < RUNS; round++) {
      await clients.close();
      clients = await connectAll(system.devicePort, DEVICES, 1);
      seconds.push(clients.seconds);
    }
    await clients.close();
    return [
      {
        name: '10,000 devices reconnect at once',
        measurements: [
          { key: 'identifiedWithin', value: median(seconds), unit: 's' },
          { key: 'atWorst', value: Math.max(...seconds), unit: 's' },
        ],
        value: `all identified within ${median(seconds).toFixed(2)} s, at worst ${Math.max(...seconds).toFixed(2)} s (first time, unknown: ${first.toFixed(2)} s)`,
      },
    ];
  } finally {
    await system.stop();
  }
}

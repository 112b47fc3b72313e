import { afterEach, describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { example } from '../../conformance/example-protocol.ts';
import { Client, IMEI, type Running, startGateway } from './support.ts';

const ADMITTED_BYTES = 7;
const FLOOD = Buffer.concat([Buffer.from('[3G*8800000015*000D*'), Buffer.alloc(140_000, '[3G*')]);

let running: Running | undefined;
afterEach(async () => {
  await running?.gateway.close(1000);
  running = undefined;
});

/** Counts the bytes that the framing reads, by index or by a native search (which counts as all of them). */
function counting(protocol: StreamProtocol, read: { bytes: number }): StreamProtocol {
  const searches = new Set(['indexOf', 'includes', 'lastIndexOf', 'findIndex', 'every', 'some', 'slice']);
  return {
    ...protocol,
    frame(bytes, context) {
      const counted = new Proxy(bytes, {
        get(target, name) {
          if (typeof name === 'string' && /^\d+$/.test(name)) read.bytes++;
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]): unknown => {
            const result: unknown = Reflect.apply(value, target, args);
            if (searches.has(String(name))) {
              const from = typeof args[1] === 'number' ? args[1] : 0;
              read.bytes += (typeof result === 'number' && result >= 0 ? result : target.length) - from;
            }
            return result;
          };
        },
      });
      return protocol.frame(counted, context);
    },
  };
}

describe('140 kB that begin messages and end none', () => {
  it('cost a bounded search, end their connection, and do not hold up another device', async () => {
    const { streams } = await loadCatalogue();
    const read = { bytes: 0 };
    const watch = counting(streams.find(({ id }) => id === 'watch')!, read);
    running = await startGateway({ protocols: [watch, example as StreamProtocol] });
    const [flood, device] = [await Client.open(running.port), await Client.open(running.port)];
    flood.send(FLOOD);
    device.send(example.simulator.login!(IMEI, 1));
    await device.take(ADMITTED_BYTES);
    await flood.closed;
    expect(flood.received.length).toBe(0);
    expect(read.bytes).toBeGreaterThan(0);
    expect(read.bytes).toBeLessThanOrEqual(4 * FLOOD.length);
    expect(running.recorder.list().some(({ protocol }) => protocol === 'watch')).toBe(false);
  });
});

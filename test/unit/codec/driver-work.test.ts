import { describe, expect, it } from 'vitest';
import { Driver, type StreamProtocol } from '#codec';
import { lengthPrefixed } from '#codec/framing';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { example } from '../../conformance/example-protocol.ts';

const NOW = Date.UTC(2024, 5, 1);
const LARGEST = 1_000;

/** Frames of a mark and their size; bytes that `verify` has read are counted. */
function sized(accepts: boolean) {
  const read = { bytes: 0 };
  const protocol: StreamProtocol<unknown> = {
    ...example,
    maxFrameBytes: LARGEST,
    resync: 'marker',
    frame: lengthPrefixed({
      starts: [[0x40]],
      head: 3,
      length: { at: 1, bytes: 2 },
      minBytes: 3,
      maxBytes: LARGEST,
      resumeAt: 1,
    }),
    verify: (frame) => {
      read.bytes += frame.length;
      return accepts;
    },
    decode: (_, { state }) => ({ state, messages: [], replies: [] }),
  };
  return { protocol, read };
}

describe('the work of a driver', () => {
  it('stops at its budget and continues where it stopped', () => {
    const driver = new Driver(sized(true).protocol, { transport: 'tcp', options: {}, stepsPerPush: 2 });
    const frames = Uint8Array.from([...Array(5)].flatMap((_, i) => [0x40, 0, 4, i]));
    const taken = [driver.push(frames.subarray(0, 18), NOW)];
    expect(driver.hasMore).toBe(true);
    taken.push(driver.resume(NOW), driver.push(frames.subarray(18), NOW));
    while (driver.hasMore) taken.push(driver.resume(NOW));
    expect(taken.map((steps) => steps.length)).toEqual([2, 2, 1]);
    expect(taken.flat().map((step) => 'bytes' in step && step.bytes[3])).toEqual([0, 1, 2, 3, 4]);
    expect(driver.buffered).toBe(0);
  });

  it('is linear where refused frames overlap', () => {
    const { protocol, read } = sized(false);
    // Every third byte claims a frame of 900 bytes.
    const stream = new Uint8Array(Buffer.alloc(60_000, Buffer.of(0x40, 0x03, 0x84)));
    const whole = new Driver(protocol, { transport: 'tcp', options: {} }).push(stream, NOW);
    expect(read.bytes).toBeLessThan(2.2 * stream.length);
    const single = new Driver(protocol, { transport: 'tcp', options: {} });
    const steps = Array.from(stream, (byte) => single.push(Uint8Array.of(byte), NOW)).flat();
    const refused = (all: typeof whole) => all.filter(({ type }) => type === 'bad-checksum').length;
    expect(refused(steps)).toBe(refused(whole));
  });

  it('is small for 140 kB of messages without end', async () => {
    const { streams } = await loadCatalogue();
    const watch = streams.find(({ id }) => id === 'watch')!;
    let calls = 0;
    const counted: StreamProtocol<unknown> = {
      ...watch,
      frame(bytes, context) {
        calls += 1;
        return watch.frame(bytes, context);
      },
    };
    const driver = new Driver(counted, { transport: 'tcp', options: {} });
    const stream = Buffer.concat([Buffer.from('[3G*8800000015*000D*'), Buffer.alloc(140_000, '[3G*')]);
    const steps = driver.push(stream, NOW);
    expect(steps.every(({ type }) => type === 'skipped')).toBe(true);
    expect(calls).toBeLessThan(10);
  });
});

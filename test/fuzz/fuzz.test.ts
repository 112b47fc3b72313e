import { expect, it } from 'vitest';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { MOST_PER_BYTE } from '../conformance/rules/linear-work.ts';
import { fuzz, readsOfDamaged, slowestPrefixes } from './fuzz.ts';

/** A short run with every test; `npm run fuzz -- --frames 1000000` makes it long. */
const LONG = 1_000_000;
const requested = process.env['FUZZ_FRAMES'];
const frames = Number(requested ?? 20_000);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const selected = process.env['FUZZ_PROTOCOLS']?.split(',').filter(Boolean) ?? [];

const { streams } = await loadCatalogue();
const targets = streams.filter(({ id }) => selected.length === 0 || selected.includes(id));
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

it(`${frames} damaged frames crash, stall and grow nothing`, { timeout: 3_600_000 }, () => {
  const { problems, steps, bytes, slowestPush, memory } = fuzz(targets, { frames, seed });
  if (requested !== undefined) {
    console.log(
      `fuzz: ${frames} frames (${megabytes(bytes)}) over ${targets.map(({ id }) => id).join(', ')}; seed ${seed}`,
    );
    console.log(
      `  steps: ${Object.entries(steps)
        .map(([type, count]) => `${type} ${count}`)
        .join(', ')}`,
    );
    console.log(
      `  slowest push: ${slowestPush.ms.toFixed(1)} ms (${slowestPush.protocol}, ${slowestPush.bytes} bytes)`,
    );
    const ratio = (memory.late / memory.early).toFixed(3);
    console.log(
      `  memory after ${frames / 10}: ${megabytes(memory.early)}, after ${frames}: ${megabytes(memory.late)} (× ${ratio})`,
    );
  }
  // In a short run the warm-up of the engine would dominate.
  if (frames >= LONG) expect(memory.late / memory.early).toBeLessThanOrEqual(1.2);
  expect(problems).toEqual([]);
  expect(steps.frame).toBeGreaterThan(frames / 100);
});

it('each byte of a damaged frame is read a bounded number of times', { timeout: 600_000 }, () => {
  const overTcp = targets.filter(({ transports }) => transports.includes('tcp'));
  const reads = overTcp.map((protocol) => ({ id: protocol.id, perByte: readsOfDamaged(protocol, seed) }));
  if (requested !== undefined)
    for (const { id, perByte } of reads) console.log(`  ${id}: ${perByte.toFixed(1)} bytes read per byte`);
  expect(reads.filter(({ perByte }) => perByte > MOST_PER_BYTE)).toEqual([]);
});

it.runIf(requested !== undefined)('64 KiB of frame prefixes are processed', { timeout: 600_000 }, () => {
  for (const protocol of targets) {
    const { ms, prefix: opening, held } = slowestPrefixes(protocol);
    expect(held).toBeLessThanOrEqual(protocol.maxFrameBytes);
    console.log(`  ${protocol.id}: 64 KiB of ${opening} take ${ms.toFixed(1)} ms`);
  }
});

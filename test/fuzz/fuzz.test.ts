import { expect, it } from 'vitest';
import { loadCatalogue } from '../../src/catalogue/index.ts';
import { fuzz, slowestOpenings } from './fuzz.ts';

/** A short run with every test; `npm run fuzz -- --frames 1000000` makes it long. */
const LONG = 1_000_000;
const asked = process.env['FUZZ_FRAMES'];
const frames = Number(asked ?? 20_000);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const wanted = process.env['FUZZ_PROTOCOLS']?.split(',').filter(Boolean) ?? [];

const { streams } = await loadCatalogue();
const targets = streams.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

it(`${frames} damaged frames crash, stall and grow nothing`, { timeout: 3_600_000 }, () => {
  const { problems, steps, bytes, slowestPush, memory } = fuzz(targets, { frames, seed });
  if (asked !== undefined) {
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
  // What the engine itself takes to warm up would drown a short run.
  if (frames >= LONG) expect(memory.late / memory.early).toBeLessThanOrEqual(1.2);
  expect(problems).toEqual([]);
  expect(steps.frame).toBeGreaterThan(frames / 100);
});

it.runIf(asked !== undefined)('64 KiB of beginnings are read through', { timeout: 600_000 }, () => {
  for (const protocol of targets) {
    const { ms, opening, held } = slowestOpenings(protocol);
    expect(held).toBeLessThanOrEqual(protocol.maxFrameBytes);
    console.log(`  ${protocol.id}: 64 KiB of ${opening} take ${ms.toFixed(1)} ms`);
  }
});

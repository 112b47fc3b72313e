import type { StreamProtocol } from '#codec';
import { createRandom } from '../support/random.ts';

export const lane = process.env['FLEETGATE_TEST_LANE'] ?? 'all';
const DAY_MS = 86_400_000;
/** others every day; FUZZ_SEED repeats those of another day */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / DAY_MS));

/** Some of the protocols, for what takes too long with each of them in `npm test`; all of them in other lanes. */
export function drawnOf(protocols: readonly StreamProtocol<unknown>[], count: number): StreamProtocol<unknown>[] {
  if (lane !== 'fast') return [...protocols];
  const random = createRandom(SEED);
  const drawn = protocols
    .map((protocol) => ({ protocol, key: random.int(2 ** 31) }))
    .sort((one, other) => one.key - other.key)
    .slice(0, count)
    .map(({ protocol }) => protocol);
  console.log(`protocols of FUZZ_SEED=${SEED}: ${drawn.map(({ id }) => id).join(', ')}`);
  return drawn;
}

import fc from 'fast-check';
import type { Fix } from '../../src/server/movement/track/fixes.ts';
import { route } from './track.ts';

/** Tracks of all that vehicles and receivers do, one after the other. */
export const anyTrack = (startAt?: number): fc.Arbitrary<readonly Fix[]> =>
  fc
    .array(
      fc.oneof(
        fc.record({ do: fc.constant('drive' as const), n: fc.integer({ min: 1, max: 20 }) }),
        fc.record({ do: fc.constant('stand' as const), n: fc.integer({ min: 1, max: 20 }) }),
        fc.record({ do: fc.constant('silent' as const), n: fc.integer({ min: 1, max: 60 }) }),
        fc.record({ do: fc.constant('stray' as const), n: fc.integer({ min: 1, max: 50 }) }),
        fc.record({ do: fc.constant('ignition' as const), n: fc.integer({ min: 0, max: 2 }) }),
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => {
      const track = route(startAt);
      for (const { do: what, n } of parts) {
        if (what === 'drive') track.drive(n, 60);
        else if (what === 'stand') track.stand(n * 60, { noiseM: 10 });
        else if (what === 'silent') track.silent(n * 60, n % 7);
        else if (what === 'stray') track.stray(n);
        else track.ignition(n === 2 ? undefined : n === 1);
      }
      return track.fixes;
    });

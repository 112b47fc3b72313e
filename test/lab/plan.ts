import { createRandom } from '../support/random.ts';

/** What can happen to a part of an installation. */
export type FaultKind = 'kill' | 'pause' | 'partition' | 'fill';

export interface PlannedFault {
  readonly kind: FaultKind;
  readonly part: string;
  /** how long it lasts */
  readonly seconds: number;
}

/** Parts by what can happen to them. */
export type Candidates = Readonly<Record<FaultKind, readonly string[]>>;

/** least and most, s */
const DURATION: Readonly<Record<FaultKind, readonly [number, number]>> = {
  kill: [1, 6],
  pause: [4, 12],
  partition: [6, 14],
  fill: [5, 8],
};
/** outlasts the 20 s after which Patroni promotes the standby */
const PRIMARY_SECONDS = 30;

/** An endless sequence of faults, the same for the same seed: all that can happen, each time in another order. */
export function* plan(seed: number, candidates: Candidates): Generator<PlannedFault, never> {
  const random = createRandom(seed);
  const all = Object.entries(candidates).flatMap(([kind, parts]) =>
    parts.map((part) => ({ kind: kind as FaultKind, part })),
  );
  for (;;) {
    const left = [...all];
    while (left.length > 0) {
      const { kind, part } = left.splice(random.int(left.length), 1)[0]!;
      const [least, most] = DURATION[kind];
      const isLong = part === 'primary' && kind !== 'partition';
      yield { kind, part, seconds: isLong ? PRIMARY_SECONDS : least + random.int(most - least + 1) };
    }
  }
}

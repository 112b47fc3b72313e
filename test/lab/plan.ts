import { createRandom } from '../support/random.ts';

/** What can happen to a part of an installation. */
export type FaultKind = 'kill' | 'pause' | 'partition' | 'fill';

export interface PlannedFault {
  readonly kind: FaultKind;
  readonly part: string;
  /** how long it lasts */
  readonly seconds: number;
  /** another one that begins when half of the time of this one is over */
  readonly during?: Omit<PlannedFault, 'during'>;
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
/** Parts that are found by their role: while one of them fails another one may have it. */
const BY_ROLE = new Set(['primary', 'standby', 'etcd']);
/** of so many faults one has another one during it */
const OVERLAPPING = 3;
/** outlasts the 20 s after which Patroni promotes the standby */
const PRIMARY_SECONDS = 30;

/**
 * An endless sequence of faults, the same for the same seed: all that can happen, each time in another order, and every
 * third one with another one during it.
 */
export function* plan(seed: number, candidates: Candidates): Generator<PlannedFault, never> {
  const random = createRandom(seed);
  const all = Object.entries(candidates).flatMap(([kind, parts]) =>
    parts.map((part) => ({ kind: kind as FaultKind, part })),
  );
  const timed = ({ kind, part }: Pick<PlannedFault, 'kind' | 'part'>): Omit<PlannedFault, 'during'> => {
    const [least, most] = DURATION[kind];
    const isLong = part === 'primary' && kind !== 'partition';
    return { kind, part, seconds: isLong ? PRIMARY_SECONDS : least + random.int(most - least + 1) };
  };
  for (;;) {
    const left = [...all];
    while (left.length > 0) {
      const first = timed(left.splice(random.int(left.length), 1)[0]!);
      const others = all.filter(({ part }) => part !== first.part && !(BY_ROLE.has(part) && BY_ROLE.has(first.part)));
      const isAlone = random.int(OVERLAPPING) > 0 || others.length === 0;
      yield isAlone ? first : { ...first, during: timed(others[random.int(others.length)]!) };
    }
  }
}

import fc from 'fast-check';
import type { Fault } from './gateway.ts';

/** One thing that devices, services, processes or time do. */
export type Operation =
  | {
      readonly type: 'enqueue';
      readonly priority: number;
      readonly isOnce: boolean;
      readonly maxAttempts: number;
      readonly ttlSeconds: number;
      readonly isRestart: boolean;
    }
  | { readonly type: 'cancel' | 'reset'; readonly pick: number; readonly isForced: boolean }
  | { readonly type: 'flush' | 'reset-device'; readonly isForced: boolean }
  | { readonly type: 'read' | 'post'; readonly gateway: number; readonly count: number }
  | { readonly type: 'answer'; readonly pick: number; readonly outcome: 'done' | 'refused'; readonly times: number }
  | {
      readonly type:
        | 'ignore'
        | 'heartbeat'
        | 'disconnect'
        | 'restart-device'
        | 'sweep'
        | 'kill-api'
        | 'exchange'
        | 'compare-jobs';
    }
  | { readonly type: 'connect' | 'kill-gateway' | 'end-lease'; readonly gateway: number }
  | { readonly type: 'fault'; readonly gateway: number; readonly fault: Fault }
  | { readonly type: 'wait'; readonly seconds: number };

const gateway = fc.nat(1);
/** the newest, or another one */
const pick = fc.oneof(fc.constant(-1), fc.nat(7));
const isForced = fc.boolean();
const typed = <T extends string>(type: T) => fc.constant(type);

const enqueue = fc.record({
  type: typed('enqueue'),
  priority: fc.integer({ min: 1, max: 3 }),
  isOnce: fc.boolean(),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  ttlSeconds: fc.constantFrom(25, 100, 600),
  isRestart: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: enqueue },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('cancel', 'reset'), pick, isForced }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('flush', 'reset-device'), isForced }) },
  // everything that waits on the way, as it is when nothing is slow
  { weight: 8, arbitrary: fc.record({ type: typed('exchange') }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom('read', 'post'), gateway, count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: typed('answer'),
      pick,
      outcome: fc.constantFrom('done', 'done', 'done', 'refused'),
      times: fc.constantFrom(1, 1, 2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('ignore', 'heartbeat', 'heartbeat', 'disconnect', 'restart-device', 'kill-api'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: typed('connect'), gateway }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('kill-gateway', 'end-lease'), gateway }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: typed('fault'),
      gateway,
      fault: fc.oneof(
        fc.constantFrom<Fault[]>('half-open', 'killed-before-spool', 'killed-before-write'),
        fc.record({ cutAfter: fc.nat(80) }),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: typed('wait'), seconds: fc.constantFrom(4, 21, 61, 130) }) },
  { weight: 3, arbitrary: fc.record({ type: typed('sweep') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('compare-jobs', 'sweep', 'heartbeat') }) },
);

const exchange = fc.constant<Operation>({ type: 'exchange' });
const answer = fc.record({
  type: typed('answer'),
  pick: fc.constant(0),
  outcome: fc.constantFrom('done', 'refused'),
  times: fc.constant(1),
});
/** A service gives up or repeats what has been sent; the device has not answered. */
const takeBack = fc.oneof(
  fc.record({ type: fc.constantFrom('cancel', 'reset'), pick: fc.constant(-1), isForced: fc.constant(true) }),
  fc.record({ type: fc.constantFrom('flush', 'reset-device'), isForced: fc.constant(true) }),
);
const reset = fc.record({ type: typed('reset'), pick: fc.constant(-1), isForced: fc.constant(true) });

/** Beginnings that chance finds seldom, on a connection that is open. */
const beginning: fc.Arbitrary<readonly Operation[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  // the answer comes when the next command could be sent
  { weight: 1, arbitrary: fc.tuple(enqueue, exchange, takeBack, enqueue, exchange, answer, exchange) },
  // sent again on the same connection
  { weight: 1, arbitrary: fc.tuple(enqueue, exchange, answer, exchange, reset, exchange) },
);

export const operations: fc.Arbitrary<Operation[]> = fc
  .tuple(beginning, fc.array(operation, { minLength: 8, maxLength: 40, size: 'max' }))
  .map(([first, rest]) => [...first, ...rest]);

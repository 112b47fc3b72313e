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
  | { readonly type: 'ignore' | 'heartbeat' | 'disconnect' | 'restart-device' | 'sweep' | 'kill-api' | 'exchange' }
  | { readonly type: 'connect' | 'kill-gateway' | 'end-lease'; readonly gateway: number }
  | { readonly type: 'fault'; readonly gateway: number; readonly fault: Fault }
  | { readonly type: 'wait'; readonly seconds: number };

const gateway = fc.nat(1);
const pick = fc.nat(7);
const isForced = fc.boolean();
const typed = <T extends string>(type: T) => fc.constant(type);

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: typed('enqueue'),
      priority: fc.integer({ min: 1, max: 3 }),
      isOnce: fc.boolean(),
      maxAttempts: fc.integer({ min: 1, max: 3 }),
      ttlSeconds: fc.constantFrom(25, 100, 600),
      isRestart: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    }),
  },
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
      fault: fc.constantFrom('cut-before', 'cut-after', 'half-open', 'killed-before-spool', 'killed-before-write'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: typed('wait'), seconds: fc.constantFrom(4, 21, 61, 130) }) },
  { weight: 3, arbitrary: fc.record({ type: typed('sweep') }) },
);

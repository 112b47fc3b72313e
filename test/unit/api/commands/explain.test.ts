import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DeviceStatus, explain, type PendingStatus } from '../../../../src/server/commands/api/explain.ts';

const free: DeviceStatus = { isOnline: true, isWaitingForAnswer: false, isInGap: false };
const command = (id: string, over: Partial<PendingStatus> = {}): PendingStatus => ({
  id,
  isEarly: false,
  unmet: null,
  ...over,
});
const reasons = (device: Partial<DeviceStatus>, ...pending: PendingStatus[]): string[] => [
  ...explain({ ...free, ...device }, pending).values(),
];

describe('why a command has not been sent:', () => {
  test.each<[string, Partial<DeviceStatus>, Partial<PendingStatus>, string]>([
    [
      'its own date comes before all',
      { isOnline: false, isWaitingForAnswer: true },
      { isEarly: true, unmet: 'ignition' },
      'not-before',
    ],
    [
      'offline, nothing else matters',
      { isOnline: false, isInGap: true },
      { unmet: 'no-fresh-position' },
      'device-offline',
    ],
    [
      'a condition comes before the queue',
      { isWaitingForAnswer: true, isInGap: true },
      { unmet: 'maxSpeed' },
      'condition:maxSpeed',
    ],
    [
      'a position that is not fresh is such a condition',
      {},
      { unmet: 'no-fresh-position' },
      'condition:no-fresh-position',
    ],
    ['an answer is waited for', { isWaitingForAnswer: true, isInGap: true }, {}, 'waiting-for-answer'],
    ['the model wants a pause', { isInGap: true }, {}, 'gap'],
    ['nothing stands in its way, and it lies there', {}, {}, 'queue-down'],
  ])('%s', (_, device, own, reason) => {
    expect(reasons(device, command('a', own))).toEqual([reason]);
  });

  test('the first command that could be sent waits for the answer, the others for the one ahead', () => {
    expect(reasons({ isWaitingForAnswer: true }, command('a'), command('b'), command('c'))).toEqual([
      'waiting-for-answer',
      'behind:a',
      'behind:b',
    ]);
  });

  test('a command that cannot be sent does not block others', () => {
    const pending = [command('a', { isEarly: true }), command('b', { unmet: 'ignition' }), command('c'), command('d')];
    expect(reasons({ isInGap: true }, ...pending)).toEqual(['not-before', 'condition:ignition', 'gap', 'behind:c']);
  });

  test('each has exactly one, whatever the case', () => {
    const devices = fc.record({ isOnline: fc.boolean(), isWaitingForAnswer: fc.boolean(), isInGap: fc.boolean() });
    const unmet = fc.constantFrom(null, 'maxSpeed', 'ignition', 'insidePolygon', 'no-fresh-position');
    const queues = fc.array(fc.record({ isEarly: fc.boolean(), unmet }), { maxLength: 8 });
    fc.assert(
      fc.property(devices, queues, (device, queue) => {
        const pending = queue.map((one, i) => ({ ...one, id: `cmd_${i}` }));
        const reasons = explain(device, pending);
        expect([...reasons.keys()]).toEqual(pending.map(({ id }) => id));
        const known = /^(not-before|device-offline|condition:\S+|waiting-for-answer|gap|queue-down|behind:cmd_\d)$/;
        for (const reason of reasons.values()) expect(reason).toMatch(known);
        // one alone is first in the queue
        const first = [...reasons.values()].filter((r) => ['waiting-for-answer', 'gap', 'queue-down'].includes(r));
        expect(first.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

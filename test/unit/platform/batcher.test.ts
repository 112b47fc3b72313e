import { expect, test } from 'vitest';
import { Batcher, lookUpInBatches } from '../../../src/platform/batcher.ts';

/** A look-up that answers when the test says so. */
function gate() {
  const asked: { tenantId: number; names: readonly string[] }[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const find = lookUpInBatches<string>(
    (tenantId, names) => {
      asked.push({ tenantId, names });
      return new Promise((resolve, reject) => {
        answers.push((error) => {
          if (error !== undefined) reject(error);
          else resolve(new Map(names.filter((name) => name !== 'none').map((name) => [name, `${tenantId}:${name}`])));
        });
      });
    },
    { inFlight: 2 },
  );
  return { find, asked, answers };
}
const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('names of one iteration form a batch for each tenant, each name once', async () => {
  const { find, asked, answers } = gate();
  const found = Promise.all([find(1, 'a'), find(1, 'b'), find(2, 'a'), find(1, 'a'), find(1, 'none')]);
  await iteration();
  expect(asked).toEqual([
    { tenantId: 1, names: ['a', 'b', 'none'] },
    { tenantId: 2, names: ['a'] },
  ]);
  for (const answer of answers) answer();
  expect(await found).toEqual(['1:a', '1:b', '2:a', '1:a', undefined]);
});

test('names that come while two batches are in flight wait, and are never answered by them', async () => {
  const { find, asked, answers } = gate();
  const first = find(1, 'a');
  await iteration();
  const second = find(1, 'a');
  await iteration();
  const third = find(1, 'a');
  const fourth = find(1, 'b');
  await iteration();
  expect(asked).toHaveLength(2);
  answers[0]!();
  expect(await first).toBe('1:a');
  await iteration();
  expect(asked[2]).toEqual({ tenantId: 1, names: ['a', 'b'] });
  answers[1]!();
  answers[2]!();
  expect(await Promise.all([second, third, fourth])).toEqual(['1:a', '1:a', '1:b']);
});

test('a failure reaches the names of its batch; the next are looked up again', async () => {
  const { find, answers } = gate();
  const failing = Promise.allSettled([find(1, 'a'), find(1, 'b')]);
  await iteration();
  answers[0]!(new Error('away'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = find(1, 'a');
  await iteration();
  answers[1]!();
  expect(await again).toBe('1:a');
});

test('a batch that fails is repeated item by item, so that one bad item fails alone', async () => {
  const batches: (readonly number[])[] = [];
  const batcher = new Batcher<number, number>(
    async (items) => {
      batches.push(items);
      if (items.includes(2)) throw new Error('bad');
      return items.map((item) => 10 * item);
    },
    { most: 3, splitsFailed: true },
  );
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)));
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    10,
    'failed',
    30,
    40,
  ]);
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3], [4]]);
  expect(batcher.isIdle).toBe(true);
});

import { expect, test } from 'vitest';
import { lookUpTogether } from '../../../src/platform/postgres/together.ts';

/** A look-up whose answers come when they are let go. */
function gate() {
  const asked: { tenantId: number; names: readonly string[] }[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const find = lookUpTogether<string>((tenantId, names) => {
    asked.push({ tenantId, names });
    return new Promise((resolve, reject) => {
      answers.push((error) => {
        if (error !== undefined) reject(error);
        else resolve(new Map(names.filter((name) => name !== 'none').map((name) => [name, `${tenantId}:${name}`])));
      });
    });
  });
  return { find, asked, answers };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('what one turn asks travels together, a tenant at a time, each name once', async () => {
  const { find, asked, answers } = gate();
  const found = Promise.all([find(1, 'a'), find(1, 'b'), find(2, 'a'), find(1, 'a'), find(1, 'none')]);
  await turn();
  expect(asked).toEqual([
    { tenantId: 1, names: ['a', 'b', 'none'] },
    { tenantId: 2, names: ['a'] },
  ]);
  for (const answer of answers) answer();
  expect(await found).toEqual(['1:a', '1:b', '2:a', '1:a', undefined]);
});

test('what comes while two are on their way waits, and is never answered by them', async () => {
  const { find, asked, answers } = gate();
  const first = find(1, 'a');
  await turn();
  const second = find(1, 'a');
  await turn();
  const third = find(1, 'a');
  const fourth = find(1, 'b');
  await turn();
  expect(asked).toHaveLength(2);
  answers[0]!();
  expect(await first).toBe('1:a');
  await turn();
  expect(asked[2]).toEqual({ tenantId: 1, names: ['a', 'b'] });
  answers[1]!();
  answers[2]!();
  expect(await Promise.all([second, third, fourth])).toEqual(['1:a', '1:a', '1:b']);
});

test('a failure reaches those that it answers, and the next are asked anew', async () => {
  const { find, answers } = gate();
  const failing = Promise.allSettled([find(1, 'a'), find(1, 'b')]);
  await turn();
  answers[0]!(new Error('away'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = find(1, 'a');
  await turn();
  answers[1]!();
  expect(await again).toBe('1:a');
});

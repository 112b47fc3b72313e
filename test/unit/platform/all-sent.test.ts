import { expect, test } from 'vitest';
import { allSent } from '../../../src/server/database/index.ts';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

test('of statements that travel together the one that failed is reported, not those that failed with it', async () => {
  const aborted = (): Promise<never> => Promise.reject(failure('25P02'));
  await expect(allSent([Promise.resolve(), aborted(), Promise.reject(failure('23505')), aborted()])).rejects.toThrow(
    '23505',
  );
  await expect(allSent([aborted()])).rejects.toThrow('25P02');
  await expect(allSent([Promise.resolve(1)])).resolves.toBeUndefined();
});

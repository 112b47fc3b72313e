import { expect, test } from 'vitest';
import { Noted } from '../../../src/platform/noted.ts';

test('work is done once after something was noted, and again while it finds something', async () => {
  const noted = new Noted();
  const answers = [true, false, true];
  let done = 0;
  const work = async (): Promise<boolean> => answers[done++]!;
  for (let i = 0; i < 5; i++) await noted.take(work);
  expect(done).toBe(2);
  noted.note();
  await noted.take(work);
  expect(done).toBe(3);
});

test('what is noted while work runs that finds nothing is not forgotten', async () => {
  const noted = new Noted();
  let done = 0;
  await noted.take(async () => {
    done += 1;
    noted.note();
    return false;
  });
  await noted.take(async () => {
    done += 1;
    return false;
  });
  await noted.take(async () => {
    done += 1;
    return false;
  });
  expect(done).toBe(2);
});

test('work that fails is done again', async () => {
  const noted = new Noted();
  await expect(noted.take(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  let done = 0;
  await noted.take(async () => {
    done += 1;
    return false;
  });
  expect(done).toBe(1);
});

import { describe, expect, it } from 'vitest';
import { Mutex } from '../../../src/platform/mutex.ts';

/** Work that ends when the test says so. */
function held(log: string[], name: string) {
  let end = (_error?: Error): void => {};
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve(name) : reject(error));
  });
  const work = (): Promise<string> => {
    log.push(name);
    return ended;
  };
  return { work, end };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a mutex', () => {
  it('runs work one at a time, in the order of the calls', async () => {
    const log: string[] = [];
    const [first, second] = [held(log, 'first'), held(log, 'second')];
    const mutex = new Mutex();
    const results = Promise.all([mutex.run(first.work), mutex.run(second.work)]);
    await turn();
    expect(log).toEqual(['first']);
    first.end();
    await turn();
    expect(log).toEqual(['first', 'second']);
    second.end();
    expect(await results).toEqual(['first', 'second']);
  });

  it('goes on after work that fails, whose caller gets the error', async () => {
    const mutex = new Mutex();
    const failing = mutex.run(() => Promise.reject(new Error('failed')));
    const next = mutex.run(async () => 'next');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  it('is idle when all work that was given before has ended, however', async () => {
    const log: string[] = [];
    const [first, second] = [held(log, 'first'), held(log, 'second')];
    const mutex = new Mutex();
    await mutex.idle();
    mutex.run(first.work).catch(() => {});
    void mutex.run(second.work);
    let isIdle = false;
    const idle = mutex.idle().then(() => {
      isIdle = true;
    });
    first.end(new Error('failed'));
    await turn();
    expect(isIdle).toBe(false);
    second.end();
    await idle;
    expect(isIdle).toBe(true);
  });
});

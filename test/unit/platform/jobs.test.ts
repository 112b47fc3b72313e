import { describe, expect, test } from 'vitest';
import { type Job, startJobs, stopJobs } from '../../../src/platform/jobs.ts';

/** Notes what happens to it; `fails`: its stop does. */
function noting(events: string[], name: string, fails = false): Job {
  return {
    start: () => void events.push(`${name} starts`),
    async stop() {
      events.push(`${name} stops`);
      await Promise.resolve();
      events.push(`${name} has stopped`);
      if (fails) throw new Error(`${name} failed`);
    },
  };
}

describe('the background of a process', () => {
  test('starts in order and stops in the reverse order, the parts of a stage at the same time', async () => {
    const events: string[] = [];
    const stages = [[noting(events, 'a')], [noting(events, 'b'), noting(events, 'c')], [{ stop: () => {} }]];
    startJobs(stages);
    expect(events.splice(0)).toEqual(['a starts', 'b starts', 'c starts']);
    await stopJobs(stages);
    expect(events).toEqual(['b stops', 'c stops', 'b has stopped', 'c has stopped', 'a stops', 'a has stopped']);
  });

  test('stops what is left when a part fails, and fails then', async () => {
    const events: string[] = [];
    const throws: Job = {
      stop() {
        throw new Error('at once');
      },
    };
    const stages = [[noting(events, 'a')], [noting(events, 'b', true), noting(events, 'c')], [throws]];
    await expect(stopJobs(stages)).rejects.toThrow('at once');
    expect(events.filter((event) => event.endsWith('has stopped'))).toHaveLength(3);
  });
});

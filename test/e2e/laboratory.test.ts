import { expect, it } from 'vitest';
import { runLaboratory } from '../lab/laboratory.ts';
import { findLabPrograms } from '../lab/programs.ts';
import { needs } from '../support/programs.ts';

/** beside PostgreSQL, of which the laboratory says itself what is missing */
const needed = [
  needs('etcd'),
  needs('patroni'),
  needs('haproxy'),
  needs('redis-server'),
  needs('redis-sentinel'),
  needs('kafka'),
];
const programs = findLabPrograms();
const isHere = !needed.includes(undefined) && !('length' in programs);
if ('length' in programs) process.stdout.write(`left out: the laboratory needs ${programs.join(', ')}\n`);

/** An API is killed, a gateway partitioned and a broker killed, the Redis master paused and the primary of PostgreSQL killed. */
const SEED = 86;

it.skipIf(!isHere)('breaks no promise while parts of an installation fail', { timeout: 600_000 }, async () => {
  if ('length' in programs) return;
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const options = { seed: SEED, devices: 6, seconds: 60, faults: 3, say };
  const { faults, account } = await runLaboratory(programs, options).catch((cause: unknown) => {
    throw new Error(`it did not come to its end\n${lines.join('\n')}`, { cause });
  });
  expect(account.broken, lines.join('\n')).toEqual([]);
  expect(faults.length).toBeGreaterThan(0);
  expect(account.stored).toBeGreaterThanOrEqual(account.acknowledged);
  expect(account.streamed).toBe(account.stored);
});

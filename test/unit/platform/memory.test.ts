import { expect, test } from 'vitest';
import { availableMemory } from '../../../src/platform/memory.ts';
import { memorySettings } from '../../../src/server/database/embedded/server.ts';

const MB = 1_048_576;

test('the limit of a container counts, where there is one', () => {
  expect(availableMemory(512 * MB, 8192 * MB)).toBe(512 * MB);
  expect(availableMemory(0, 8192 * MB)).toBe(8192 * MB);
  // cgroup v1 without a limit
  expect(availableMemory(2 ** 63, 8192 * MB)).toBe(8192 * MB);
});

test('PostgreSQL takes an eighth of a container of 512 MB, and not of its machine', () => {
  expect(memorySettings(512 * MB)).toEqual({ shared_buffers: '64MB', maintenance_work_mem: '32MB' });
  expect(memorySettings(65_536 * MB)).toEqual({ shared_buffers: '1024MB', maintenance_work_mem: '128MB' });
});

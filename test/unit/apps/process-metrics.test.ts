import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addProcessMetrics } from '../../../src/apps/process-metrics.ts';

test('a data folder that is not there yet does not keep the metrics back', async () => {
  const registry = new Registry();
  addProcessMetrics(registry, { process: 'api', dataDir: join(tmpdir(), 'nowhere', 'data') });
  expect(await registry.metrics()).toMatch(/^fleetgate_disk_free_bytes\{process="api"\} [1-9]/m);
});

import { describe, vi } from 'vitest';
import { onHistory } from '../../support/history.ts';

// each list that a test stores is moved to files at once
vi.setConfig({ testTimeout: 300_000 });
onHistory('files');

// The tests of what reads positions, with all positions in files.
for (const file of ['trips', 'path', 'polygon', 'condition', 'driven', 'fleet', 'pairings']) {
  describe(file, () => import(`../movement/${file}.test.ts`));
}
describe('restriction to vehicles', async () => {
  await import('../api/vehicle-restriction.test.ts');
});

import { describe, vi } from 'vitest';
import { onHistory } from '../../support/history.ts';

// each list that a test stores is moved to files at once
vi.setConfig({ testTimeout: 300_000 });
onHistory('border');

// The tests of what reads positions, with some positions in files and some in rows.
for (const file of ['trips', 'path', 'condition', 'fleet', 'pairings']) {
  describe(file, () => import(`../movement/${file}.test.ts`));
}
describe('restriction to vehicles', async () => {
  await import('../api/vehicle-restriction.test.ts');
});

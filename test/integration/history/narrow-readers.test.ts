import { describe, vi } from 'vitest';
import { onHistory } from '../../support/history.ts';

vi.setConfig({ testTimeout: 300_000 });
onHistory('narrow');

// The tests of what reads positions, with all of them in narrow rows.
for (const file of ['trips', 'path', 'condition', 'fleet', 'pairings']) {
  describe(file, () => import(`../movement/${file}.test.ts`));
}
describe('restriction to vehicles', async () => {
  await import('../api/vehicle-restriction.test.ts');
});

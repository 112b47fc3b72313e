import { afterAll, beforeAll, describe, vi } from 'vitest';
import { onHistory } from '../../support/history.ts';
import { needs } from '../../support/programs.ts';
import { TestS3 } from '../../support/s3-server.ts';

// each list that a test stores is moved to files at once
vi.setConfig({ testTimeout: 300_000 });

const program = needs('versitygw');

// The tests of what reads positions, with all positions in a bucket.
describe.skipIf(program === undefined)('with a bucket', () => {
  let s3: TestS3;
  beforeAll(async () => {
    s3 = await new TestS3(program!).start();
  });
  afterAll(() => s3?.remove());
  onHistory('files', () => s3);
  for (const file of program === undefined ? [] : ['trips', 'path', 'condition', 'fleet', 'pairings']) {
    describe(file, () => import(`../movement/${file}.test.ts`));
  }
});

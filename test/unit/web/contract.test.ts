import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consoleBodies, consoleLists } from '../../../scripts/console-contract.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8'));

describe('what the console takes from the API', () => {
  it.each([
    ['bodies.ts', consoleBodies],
    ['lists.ts', consoleLists],
  ])('is the same as in web/src/%s', async (name, textOf) => {
    await expect(textOf(document), 'npm run openapi writes it').toMatchFileSnapshot(join(root, 'web', 'src', name));
  });
});

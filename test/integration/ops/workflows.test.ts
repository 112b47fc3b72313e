import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../support/programs.ts';

const FOLDER = '.github/workflows';

test.skipIf(needs('actionlint') === undefined).each(readdirSync(FOLDER))('%s passes actionlint', (name) => {
  const { status, stdout, stderr } = spawnSync(needs('actionlint')!, [join(FOLDER, name)], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});

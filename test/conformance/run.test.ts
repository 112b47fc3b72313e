import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules } from './rules/index.ts';

const conformance = (id: string) =>
  spawnSync(process.execPath, [join('scripts', 'conformance.mjs'), id], { encoding: 'utf8' });

it('npm run conformance applies every rule to one protocol', () => {
  const { status, stdout } = conformance('haicom');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`${rules.length} rules passed`);
  expect(status).toBe(0);
});

it('npm run conformance rejects an id without a folder', () => {
  expect(conformance('nosuch').status).toBe(1);
});

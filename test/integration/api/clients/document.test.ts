import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../../support/programs.ts';

const path = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'openapi.json');
const document: unknown = JSON.parse(readFileSync(path, 'utf8'));

const patterns = [...new Set(membersOf(document, 'pattern'))];
const operationIds = membersOf(document, 'operationId');

/** Values of every member of this name, at any depth. */
function membersOf(node: unknown, name: string): string[] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === name && typeof value === 'string' ? [value] : membersOf(value, name),
  );
}

const validator = needs('openapi-spec-validator');
test.skipIf(validator === undefined)(
  'openapi-spec-validator accepts the document',
  () => {
    const { status, stdout, stderr } = spawnSync(validator!, [path], { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  },
  600_000,
);

test('patterns are ECMA 262 without flags, and mean the same with the flag u', () => {
  expect(patterns.length).toBeGreaterThan(10);
  for (const pattern of patterns) {
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
    for (const text of ['', 'AB123CD', 'p{Surrogate}', '356307042441013', '2026-05', '\0']) {
      expect(plain.test(text), pattern).toBe(unicode.test(text));
    }
  }
});

const python = needs('python');
test.skipIf(python === undefined)('patterns are regular expressions of Python', () => {
  const program = 'import json, re, sys\nfor pattern in json.load(sys.stdin): re.compile(pattern)';
  const { status, stderr } = spawnSync(python!, ['-c', program], {
    input: JSON.stringify(patterns),
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});

test('names of operations are distinct, also if case is ignored', () => {
  expect(operationIds.length).toBeGreaterThan(100);
  expect(new Set(operationIds.map((id) => id.toLowerCase())).size).toBe(operationIds.length);
});

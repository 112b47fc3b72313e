import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Protocol } from '#codec';
import { checkProtocol } from '../../src/codec/catalogue/check.ts';
import { createCatalogue } from '../../src/codec/catalogue/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { rules } from './rules/index.ts';
import { createSubject } from './rules/subject.ts';

const root = join(import.meta.dirname, '..', '..');
// Inside of the checkout, where `#codec` is found.
const into = mkdtempSync(join(root, '.new-protocol-'));
afterAll(() => rmSync(into, { recursive: true, force: true }));

const create = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'new-protocol.mjs'), ...args, '--folder', into], {
    encoding: 'utf8',
  });

const linesOf = (folder: string): number =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line)).length;

const KINDS = [
  { kind: 'text', id: 'zorrotext', todo: ['facts', 'frame', 'position', 'messages', 'commands'], lines: 60 },
  { kind: 'binary', id: 'zorrobinary', todo: ['facts', 'frame', 'record', 'messages', 'commands'], lines: 90 },
  { kind: 'http', id: 'zorrohttp', todo: ['facts', 'decode', 'identify', 'commands', 'simulator'], lines: 60 },
];

describe.each(KINDS)('npm run new-protocol -- --$kind', async ({ kind, id, todo, lines }) => {
  const created = create(id, 'Zorro’s tracker', `--${kind}`);
  const folder = join(into, id);
  const { default: protocol } = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as { default: Protocol };
  const subject = createSubject(createCatalogue([protocol]).streams[0]!, loadFixtures(id, into));

  it('creates a folder and lists the parts to replace', () => {
    expect(created.status).toBe(0);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['commands.ts', 'decode.ts', 'fixtures', 'index.ts']));
    for (const part of todo) expect(created.stdout).toContain(`: ${part}`);
    expect(readFileSync(join(folder, 'index.ts'), 'utf8')).not.toMatch(/acme/i);
    expect(checkProtocol(id, protocol)).toEqual([]);
    expect(linesOf(folder)).toBeLessThanOrEqual(lines);
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))('as created: %s', (_, rule) => {
    expect(rule.check(subject, [subject, createSubject(example, exampleFixtures)])).toEqual([]);
  });
});

describe('npm run new-protocol', () => {
  it('overwrites nothing, and rejects invalid names and options', () => {
    expect(create('zorrotext', 'Zorro').status).toBe(1);
    for (const name of ['', 'A', '../x', 'x']) expect(create(name, 'X').status).toBe(1);
    expect(create().status).toBe(1);
    expect(create('other', '--text', '--binary').status).toBe(1);
    expect(create('other', '--yaml').status).toBe(1);
    expect(readdirSync(into).sort()).toEqual(KINDS.map(({ id }) => id).sort());
  });
});

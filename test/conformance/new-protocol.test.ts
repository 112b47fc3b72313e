import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import { checkProtocol } from '../../src/catalogue/check.ts';
import type { Fixture } from '../support/fixtures.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { rules } from './rules/index.ts';
import { createSubject } from './rules/subject.ts';

const root = join(import.meta.dirname, '..', '..');
// Inside of the checkout, where `#codec` is found.
const into = mkdtempSync(join(root, '.new-protocol-'));
afterAll(() => rmSync(into, { recursive: true, force: true }));

const make = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'new-protocol.mjs'), ...args], { encoding: 'utf8' });

const created = make('zorro', 'Zorro’s tracker', into);
const folder = join(into, 'zorro');
const protocol = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as { default: StreamProtocol };
const fixtures = readdirSync(join(folder, 'fixtures')).map((name) => ({
  name,
  fixture: JSON.parse(readFileSync(join(folder, 'fixtures', name), 'utf8')) as Fixture,
}));
const subject = createSubject(protocol.default, fixtures);

describe('npm run new-protocol', () => {
  it('makes a folder and says what is to be written', () => {
    expect(created.status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(
      ['commands.ts', 'decode.ts', 'elements.ts', 'fixtures', 'frame.ts', 'index.ts', 'simulator.ts'].sort(),
    );
    for (const part of ['facts', 'frame', 'verify', 'identify', 'elements', 'handlers', 'commands', 'simulator'])
      expect(created.stdout).toContain(part);
    expect(readFileSync(join(folder, 'index.ts'), 'utf8')).not.toMatch(/acme/i);
    expect(checkProtocol('zorro', protocol.default)).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.name, rule] as const))('as it is: %s', (_, rule) => {
    expect(rule.check(subject, [subject, createSubject(example, exampleFixtures)])).toEqual([]);
  });

  it('overwrites nothing, and rejects invalid names', () => {
    expect(make('zorro', 'Zorro', into).status).toBe(1);
    for (const name of ['', 'A', '../x', 'x']) expect(make(name, 'X', into).status).toBe(1);
    expect(make().status).toBe(1);
    expect(readdirSync(into)).toEqual(['zorro']);
  });
});

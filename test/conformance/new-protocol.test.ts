import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import { checkProtocol } from '../../src/catalogue/check.ts';
import type { Fixture } from '../support/fixtures.ts';
import { example, exampleFixtures } from './example-protocol.ts';
import { laws } from './laws/index.ts';
import { createSubject } from './laws/subject.ts';

const root = join(import.meta.dirname, '..', '..');
// Inside of the checkout, where `#codec` is found.
const into = mkdtempSync(join(root, '.new-protocol-'));
afterAll(() => rmSync(into, { recursive: true, force: true }));

const make = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'new-protocol.mjs'), ...args], { encoding: 'utf8' });

const made = make('zorro', 'Zorro’s tracker', into);
const folder = join(into, 'zorro');
const protocol = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as { default: StreamProtocol };
const fixtures = readdirSync(join(folder, 'fixtures')).map((name) => ({
  name,
  fixture: JSON.parse(readFileSync(join(folder, 'fixtures', name), 'utf8')) as Fixture,
}));
const subject = createSubject(protocol.default, fixtures);

describe('npm run new-protocol', () => {
  it('makes a folder and says what is to be written', () => {
    expect(made.status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(
      ['commands.ts', 'decode.ts', 'elements.ts', 'fixtures', 'frame.ts', 'index.ts', 'simulator.ts'].sort(),
    );
    for (const word of ['facts', 'frame', 'verify', 'identify', 'elements', 'handlers', 'commands', 'simulator'])
      expect(made.stdout).toContain(word);
    expect(readFileSync(join(folder, 'index.ts'), 'utf8')).not.toMatch(/acme/i);
    expect(checkProtocol('zorro', protocol.default)).toEqual([]);
  });

  it.each(laws.map((law) => [law.name, law] as const))('as it is: %s', (_, law) => {
    expect(law.check(subject, [subject, createSubject(example, exampleFixtures)])).toEqual([]);
  });

  it('writes over nothing, and takes no name that is none', () => {
    expect(make('zorro', 'Zorro', into).status).toBe(1);
    for (const name of ['', 'A', '../x', 'x']) expect(make(name, 'X', into).status).toBe(1);
    expect(make().status).toBe(1);
    expect(readdirSync(into)).toEqual(['zorro']);
  });
});

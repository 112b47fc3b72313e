import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { protocolPage } from '../../src/cli/docs/protocol-page.ts';
import { writeDocs } from '../../src/cli/docs.ts';
import { example } from './example-protocol.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

it('the generated pages are current', async () => {
  expect(await writeDocs(root, { check: true }), 'npm run docs writes them').toEqual([]);
});

it('a page that was changed manually is out of date and is written again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-docs-'));
  try {
    for (const source of ['src/codec', 'test/unit/codec/examples'])
      cpSync(join(root, source), join(folder, source), { recursive: true });
    const written = await writeDocs(folder, { check: false });
    expect(written).toContain('docs/configuration.md');
    expect(await writeDocs(folder, { check: true })).toEqual([]);
    const page = join(folder, 'docs', 'errors.md');
    const text = readFileSync(page, 'utf8');
    writeFileSync(page, `${text}more\n`);
    expect(await writeDocs(folder, { check: true })).toEqual(['docs/errors.md']);
    expect(await writeDocs(folder, { check: false })).toEqual(['docs/errors.md']);
    expect(readFileSync(page, 'utf8')).toBe(text);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a protocol’s page names its port, its commands and their parameters', () => {
  const text = protocolPage(example, {
    scenarios: [['session.json', 'a|b', 'by hand']],
    kinds: new Set(['position']),
    attributes: new Map([
      ['temp10', new Set(['number'])],
      ['temp2', new Set(['number'])],
      ['bootCount', new Set(['number'])],
    ]),
    deviations: [],
    coverage: {
      sources: ['Manual 1.2'],
      messages: { 'location (01)': 'session.json', 'photo (02)': null },
      frames: 3,
      commands: 1,
      deviations: 0,
      projects: [
        { name: 'reader', version: '1.0.0', registry: 'npm', protocol: 'example', plays: 'parser', wrong: ['no time'] },
      ],
    },
  });
  expect(text).toContain('| documents | Manual 1.2 |');
  expect(text).toContain('| messages of the documents | 2, 1 of them decoded and tested |');
  expect(text).toContain('| photo (02) | no |');
  expect(text).toContain('| reader 1.0.0 | npm | parser | no time |');
  expect(text).toContain('`example`, 5299');
  expect(text).toContain('| `custom` | Text for the device | `data` (string): Text | yes |');
  expect(text).toContain('set {host} and {port}');
  expect(text).toContain('a\\|b');
  expect(text.indexOf('`temp2`')).toBeLessThan(text.indexOf('`temp10`'));
  expect(text).not.toContain('## Per-device options');
});

it('messages of a coverage.json name fixtures that exist', () => {
  for (const folder of readdirSync(join(root, 'protocols'))) {
    const path = join(root, 'protocols', folder, 'coverage.json');
    if (!existsSync(path)) continue;
    const { messages } = JSON.parse(readFileSync(path, 'utf8')) as { messages: Record<string, string | null> };
    const missing = Object.values(messages).filter(
      (fixture) => fixture !== null && !existsSync(join(root, 'protocols', folder, 'fixtures', fixture)),
    );
    expect(missing, folder).toEqual([]);
  }
});

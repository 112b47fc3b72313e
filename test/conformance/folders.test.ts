import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const protocols = join(import.meta.dirname, '..', '..', 'protocols');

/** The file that each part of a protocol is in; small protocols have framing and decoding in `index.ts`. */
const FILES = { frame: 'frame.ts', decode: 'decode.ts', commands: 'commands.ts', simulator: 'simulator.ts' };

it.each(readdirSync(protocols))('%s has the files of every protocol', (id) => {
  const folder = join(protocols, id);
  for (const name of ['index.ts', 'simulator.ts', 'README.md', 'fixtures'])
    expect(existsSync(join(folder, name)), name).toBe(true);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  for (const [part, file] of Object.entries(FILES)) {
    const exporting = new RegExp(`^export (?:const|function) ${part}\\b`, 'm');
    const found = sources.filter((name) => exporting.test(readFileSync(join(folder, name), 'utf8')));
    if (found.length > 0) expect(found).toContain(file);
  }
});

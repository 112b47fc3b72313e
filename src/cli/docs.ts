import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { loadCatalogue } from '../codec/catalogue/index.ts';
import { generatedPages } from './docs/pages.ts';
import { UsageError } from './usage.ts';

export function register(program: Command): void {
  program
    .command('docs')
    .description('generate the pages that are written from code: protocols, settings, errors, attributes, codec kit')
    .option('--check', 'write nothing; fail if a page is out of date')
    .action(async ({ check }: { check?: true }) => {
      const stale = await writeDocs(checkoutRoot(), { check: check === true });
      if (check && stale.length > 0) throw new UsageError(`out of date, run npm run docs:\n  ${stale.join('\n  ')}`);
      process.stderr.write(check ? 'all pages are current\n' : `${stale.length} pages written\n`);
    });
}

/** Writes the generated pages that are out of date, or only lists them; paths are relative to the root. */
export async function writeDocs(root: string, { check }: { readonly check: boolean }): Promise<string[]> {
  const { protocols } = await loadCatalogue();
  const stale: string[] = [];
  for (const [path, text] of generatedPages(root, protocols)) {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    stale.push(path);
    if (check) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return stale;
}

/** The nearest folder above with a package.json: the same from sources and from the build. */
function checkoutRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new UsageError('docs can only be run in a source checkout');
    folder = dirname(folder);
  }
  return folder;
}

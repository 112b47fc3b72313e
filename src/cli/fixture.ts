import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadCatalogue } from '../codec/catalogue/index.ts';
import { completeFixture, type FixtureToComplete } from './fixture-placeholders.ts';
import { UsageError } from './usage.ts';

export function register(program: Command): void {
  program
    .command('fixture')
    .description("fill in {length:N} and {checksum:N} in a protocol's fixtures")
    .argument('<protocol>', 'folder of protocols/')
    .option('--folder <path>', 'fixtures, where they are elsewhere')
    .action(async (id: string, { folder }: { readonly folder?: string }) => {
      await completeAll(id, folder ?? join('protocols', id, 'fixtures'));
    });
}

async function completeAll(id: string, folder: string): Promise<void> {
  const protocol = (await loadCatalogue()).streams.find((each) => each.id === id);
  if (protocol === undefined) throw new UsageError(`there is no protocol ${id}`);
  if (!existsSync(folder)) throw new UsageError(`${folder} does not exist`);
  const unresolved: string[] = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const { wires, problems } = completeFixture(protocol, JSON.parse(text) as FixtureToComplete);
    // The text is edited in place, so that nothing else of the file changes.
    let completed = text;
    for (const [before, after] of wires)
      completed = completed.replaceAll(JSON.stringify(before), JSON.stringify(after));
    if (completed !== text) writeFileSync(path, completed);
    if (wires.size > 0) process.stdout.write(`${path}: ${wires.size} filled in\n`);
    unresolved.push(...problems.map((problem) => `${path}: ${problem}`));
  }
  for (const problem of unresolved) process.stderr.write(`${problem}\n`);
  if (unresolved.length > 0) process.exitCode = 1;
}

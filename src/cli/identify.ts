import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type FirstFrame, identifyRecorded } from '../apps/identify-recorded.ts';
import { loadCatalogue } from '../codec/catalogue/index.ts';
import { systemClock } from '../platform/clock.ts';
import { UsageError } from './usage.ts';

interface Session {
  readonly protocol: string;
  readonly session: number;
  readonly frames: readonly FirstFrame[];
}

export function register(program: Command): void {
  program
    .command('identify')
    .description('run protocol identification over recorded sessions and report misidentified ones')
    .argument('<path...>', 'files with sessions as JSON lines, or folders of such files')
    .action(async (paths: readonly string[]) => {
      await identifyAll(paths);
    });
}

function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`${path} does not exist`);
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(path, name));
}

function sessionsOf(file: string): Session[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Session);
}

/** Sessions of unsupported protocols must stay unidentified. */
async function identifyAll(paths: readonly string[]): Promise<void> {
  const { streams } = await loadCatalogue();
  const served = new Map(streams.map(({ id, service }) => [id, service]));
  const counts = { right: 0, wrong: 0, undecided: 0, foreign: 0, foreignTaken: 0 };
  for (const { protocol, session, frames } of paths.flatMap(filesOf).flatMap(sessionsOf)) {
    const result = identifyRecorded(frames, streams, systemClock.now());
    const said =
      result.type === 'decided'
        ? `${result.protocol} (${result.transport})`
        : `nobody [${result.candidates.join(' ')}]`;
    const isServed = served.has(protocol);
    // Codecs of one service share a port, so they count as one.
    const isRight = result.type === 'decided' && served.get(result.protocol) === served.get(protocol);
    if (!isServed) counts.foreign++;
    else if (isRight) counts.right++;
    else if (result.type === 'undecided') counts.undecided++;
    else counts.wrong++;
    if (!isServed && result.type === 'decided') counts.foreignTaken++;
    if (isServed ? !isRight : result.type === 'decided')
      process.stdout.write(`${protocol} ${session}${isServed ? '' : ' (no codec)'}: ${said}\n`);
  }
  const { right, wrong, undecided, foreign, foreignTaken } = counts;
  const all = right + wrong + undecided;
  const share = all === 0 ? 0 : (100 * right) / all;
  process.stdout.write(
    `${all} sessions: ${right} identified (${share.toFixed(1)} %), ${wrong} wrongly, ${undecided} undecided; ` +
      `of ${foreign} sessions without a codec ${foreignTaken} are claimed\n`,
  );
  if (wrong > 0) process.exitCode = 1;
}

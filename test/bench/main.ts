import { writeFileSync } from 'node:fs';
import { type Figure, holds, reportOf } from './figure.ts';

/** `node main.js <name> [file]`: runs one benchmark, prints its figures, and writes them into the file. */
const [name, file] = process.argv.slice(2) as [string, string | undefined];
const { run } = (await import(`./${name}.js`)) as { run(): Promise<readonly Figure[]> };
const figures = await run();
for (const { name, value } of figures) process.stdout.write(`${name.padEnd(64)} ${value}\n`);
if (file !== undefined) writeFileSync(file, `${JSON.stringify(reportOf(name, figures), null, 2)}\n`);
const missed = figures.flatMap(({ measurements = [] }) => measurements).filter((each) => !holds(each));
for (const { key, value, unit, wanted } of missed) {
  const { atLeast, atMost } = wanted!;
  const limit = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  process.stdout.write(`wanted of ${key}: ${limit} ${unit}, measured ${value}\n`);
}
process.exit(missed.length === 0 ? 0 : 1);

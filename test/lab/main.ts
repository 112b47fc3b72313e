import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runLaboratory } from './laboratory.ts';
import { findLabPrograms } from './programs.ts';

/**
 * `main.js --minutes N --seed N --devices N --faults N --only <text> --json <file>`: runs the laboratory. Ends with 1 if a promise was
 * broken, with 2 if programs are missing.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    devices: { type: 'string', default: '12' },
    faults: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const programs = findLabPrograms();
if ('length' in programs) {
  say(`left out: the laboratory needs ${programs.join(', ')}`);
  process.exit(2);
}
const seed = Number(values.seed);
const { faults, account } = await runLaboratory(programs, {
  seed,
  devices: Number(values.devices),
  seconds: 60 * Number(values.minutes),
  ...(values.faults === undefined ? {} : { faults: Number(values.faults) }),
  ...(values.only === undefined ? {} : { only: values.only }),
  say,
});
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ seed, faults, account }, null, 2));
process.exit(account.broken.length === 0 ? 0 : 1);

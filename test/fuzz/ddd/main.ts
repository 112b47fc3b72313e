import { parseArgs } from 'node:util';
import { inFolder, ownFiles, rootsIn } from './files.ts';
import { fuzzFile } from './fuzz.ts';

/** `npm run fuzz -- ddd [folder]`: damaged downloads of a folder, or of our own encoder. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changes: { type: 'string', default: '100000' },
    'cut-every': { type: 'string', default: '1' },
    'judge-every': { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    roots: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const MOST_MS = 200;
const seed = Number(values.seed);
const [folder] = positionals;
const { subjects, roots: own } = folder === undefined ? ownFiles(seed) : inFolder(folder);
const roots = values.roots === undefined ? own : rootsIn(values.roots);
const analyseEvery = Number(values['judge-every']);
console.log(
  `fuzz: ${subjects.length} files, ${roots.length} roots, seed ${seed}; verified and judged: 1 in ${analyseEvery}`,
);
let bad = 0;
for (const subject of subjects.filter(({ name }) => name.includes(values.only))) {
  const { problems, cuts, changes, analysed, slowest } = fuzzFile(subject, {
    changes: Number(values.changes),
    cutEvery: Number(values['cut-every']),
    seed,
    analyseEvery,
    roots,
  });
  if (slowest.ms > MOST_MS) problems.push(`${slowest.what} takes ${slowest.ms.toFixed(0)} ms`);
  console.log(
    `${subject.name}: ${subject.bytes.length} bytes, ${cuts} cuts, ${changes} changes, ${analysed} analysed; slowest ` +
      `${slowest.ms.toFixed(1)} ms of CPU (${slowest.what}); ${problems.length === 0 ? 'sound' : `${problems.length} problems`}`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  bad += problems.length;
}
process.exit(bad === 0 ? 0 : 1);

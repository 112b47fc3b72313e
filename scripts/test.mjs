// `npm test [-- <what vitest takes>]`: the fast tests, which need nothing but Node.js.
// `npm run test:all`: every test, and which were left out because a program is missing. `--rest`: without the fast ones.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, NAMES } from './programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'fleetgate-results-'));

const given = process.argv.slice(2);
const args = given.filter((each) => each !== '--all' && each !== '--rest');
// a file that is named runs whatever the lane
const isNamed = args.some((each) => !each.startsWith('-'));
const lane = given.includes('--rest') ? 'rest' : given.includes('--all') || isNamed ? 'all' : 'fast';
const run = await vitest(args);
rmSync(folder, { recursive: true, force: true });
for (const line of run.slowest) process.stdout.write(`${line}\n`);
for (const line of lane === 'fast' ? [] : leftOut()) process.stdout.write(`left out: ${line}\n`);
// An error outside of tests fails the run too.
const failures = run.complete ? run.failed : Math.max(1, run.failed);
process.stdout.write(`${run.passed} passed, ${failures} failed\n`);
process.exitCode = failures === 0 ? 0 : 1;

/** `complete`: only tests failed. A file with an error outside of its tests counts as one failed test. */
async function vitest(args) {
  const results = join(folder, 'results.json');
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${results}`,
      ...args,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, FLEETGATE_TEST_LANE: lane } },
  );
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
  const code = await new Promise((resolve) => child.on('exit', (exitCode) => resolve(exitCode ?? 1)));
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
  try {
    const report = JSON.parse(readFileSync(results, 'utf8'));
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
    );
    const failed = report.numFailedTests + broken.length;
    return {
      passed: report.numPassedTests,
      failed,
      complete: code === 0 || failed > 0,
      slowest: slowestOf(report.testResults),
    };
  } catch {
    return { passed: 0, failed: 0, complete: false, slowest: [] };
  }
}

/** A line for each of the files that take longest, where there are many. */
function slowestOf(results) {
  if (results.length < 50) return [];
  const files = results.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    ms: endTime - startTime,
  }));
  const total = files.reduce((sum, { ms }) => sum + ms, 0);
  const seconds = (ms) => (ms / 1_000).toFixed(0).padStart(6);
  return [
    `${seconds(total)} s of tests in ${files.length} files; of them`,
    ...files
      .sort((one, other) => other.ms - one.ms)
      .slice(0, 20)
      .map(({ file, ms }) => `${seconds(ms)} s ${file}`),
  ];
}

/** One line for each missing program that a test file requires with `needs('…')`. */
function leftOut() {
  const files = testFiles(join(root, 'test')).map((path) => readFileSync(path, 'utf8'));
  return Object.entries(NAMES)
    .filter(([program]) => files.some((text) => text.includes(`needs('${program}')`)))
    .filter(([program]) => findProgram(program) === undefined)
    .map(([program, names]) => `tests that need ${program} (none of ${names.join(', ')} is here)`);
}

function testFiles(path) {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return testFiles(join(path, entry.name));
    return entry.name.endsWith('.test.ts') ? [join(path, entry.name)] : [];
  });
}

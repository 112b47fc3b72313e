// `npm test [-- <what vitest takes>]`: runs the tests, says what was left out for want of a program, and counts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, NAMES } from './programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'fleetgate-results-'));
const results = join(folder, 'results.json');

const vitest = spawn(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));
const code = await new Promise((resolve) => vitest.on('exit', (exitCode) => resolve(exitCode ?? 1)));

const { passed, failed } = count();
rmSync(folder, { recursive: true, force: true });
for (const line of leftOut()) process.stdout.write(`left out: ${line}\n`);
// A run that broke outside of any test has failed too.
const failures = code === 0 ? failed : Math.max(1, failed);
process.stdout.write(`${passed} passed, ${failures} failed\n`);
process.exitCode = failures === 0 ? 0 : 1;

function count() {
  try {
    const report = JSON.parse(readFileSync(results, 'utf8'));
    // A file that could not be loaded has no test to fail.
    const broken = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0).length;
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** One line for each program that is not there and that a test file asks for by `needs('…')`. */
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

// `npm test [-- <what vitest takes>]`: runs the tests, says what was left out for want of a program, and counts.
// FLEETGATE_TEST_AGAIN=<files>: if at most so many files failed, they are run once more, with nothing beside them, and
// what passes only then is listed: many processes on few cores run out of time in ways that say nothing of the code.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, NAMES } from './programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'fleetgate-results-'));
const again = Number(process.env.FLEETGATE_TEST_AGAIN ?? 0);

let run = await vitest(process.argv.slice(2));
const failedFiles = [...new Set(run.failed.map(({ file }) => file))];
if (run.complete && failedFiles.length > 0 && failedFiles.length <= again) {
  process.stdout.write(`once more: ${failedFiles.join(', ')}\n`);
  const second = await vitest(failedFiles);
  const mended = run.failed.filter((test) => !second.failed.some((other) => keyOf(other) === keyOf(test)));
  // what the second run did not come to has not passed
  for (const { file, name } of second.complete ? mended : [])
    process.stdout.write(`passed only at the second attempt: ${file} > ${name}\n`);
  run = {
    passed: run.passed + (second.complete ? mended.filter(({ name }) => name !== '').length : 0),
    failed: second.complete ? second.failed : run.failed,
    complete: second.complete,
    slowest: run.slowest,
  };
}
rmSync(folder, { recursive: true, force: true });
for (const line of run.slowest) process.stdout.write(`${line}\n`);
for (const line of leftOut()) process.stdout.write(`left out: ${line}\n`);
// A run that broke outside of any test has failed too.
const failures = run.complete ? run.failed.length : Math.max(1, run.failed.length);
process.stdout.write(`${run.passed} passed, ${failures} failed\n`);
process.exitCode = failures === 0 ? 0 : 1;

function keyOf({ file, name }) {
  return `${file}\n${name}`;
}

/** `complete`: nothing but tests failed. A file that broke outside of its tests counts as a failed test without name. */
async function vitest(args) {
  const results = join(folder, `${Math.random().toString(36).slice(2)}.json`);
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
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
  const code = await new Promise((resolve) => child.on('exit', (exitCode) => resolve(exitCode ?? 1)));
  for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
  try {
    const report = JSON.parse(readFileSync(results, 'utf8'));
    const failed = report.testResults.flatMap((each) => {
      const file = relative(root, each.name);
      const names = each.assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      if (each.status === 'failed' && names.length === 0) names.push('');
      return names.map((name) => ({ file, name }));
    });
    return {
      passed: report.numPassedTests,
      failed,
      complete: code === 0 || failed.length > 0,
      slowest: slowestOf(report.testResults),
    };
  } catch {
    return { passed: 0, failed: [], complete: false, slowest: [] };
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

import { spawnSync } from 'node:child_process';
import { findProgram, OPTIONAL, type Program } from '../../scripts/programs.mjs';

/**
 * Where a program is that npm does not bring, or undefined: then the test leaves out what needs it
 * (`test.skipIf(needs('redis-server') === undefined)`), and `npm test` says so. Where FLEETGATE_TEST_ALL is set a
 * missing one fails, but for those in OPTIONAL.
 */
export function needs(program: Program): string | undefined {
  const found = findProgram(program);
  if (found === undefined && !OPTIONAL.has(program) && process.env['FLEETGATE_TEST_ALL'] !== undefined) {
    throw new Error(`${program} is not installed, and nothing may be left out here`);
  }
  return found;
}

/** A Python that has this module, or undefined. Where FLEETGATE_TEST_ALL is set a missing one fails. */
export function pythonWith(module: string): string | undefined {
  const { status } = spawnSync('python3', ['-c', `import ${module}`], { stdio: 'ignore' });
  if (status === 0) return 'python3';
  if (process.env['FLEETGATE_TEST_ALL'] !== undefined) {
    throw new Error(`the Python module ${module} is not installed, and nothing may be left out here`);
  }
  return undefined;
}

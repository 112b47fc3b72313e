import { findProgram, type Program } from '../../scripts/programs.mjs';

/**
 * Where a program is that npm does not bring, or undefined: then the test leaves out what needs it
 * (`test.skipIf(needs('redis-server') === undefined)`), and `npm test` says so. Where FLEETGATE_TEST_ALL is set a
 * missing one fails, but for a container engine.
 */
export function needs(program: Program): string | undefined {
  const found = findProgram(program);
  if (found === undefined && program !== 'container-engine' && process.env['FLEETGATE_TEST_ALL'] !== undefined) {
    throw new Error(`${program} is not installed, and nothing may be left out here`);
  }
  return found;
}

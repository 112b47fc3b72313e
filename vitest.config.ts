import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { findProgram } from './scripts/programs.mjs';
import { LongFirst } from './test/support/long-first.ts';

/** Tests of parts of the code, without processes and databases. */
const ALONE = ['test/unit/**/*.test.ts', 'test/conformance/**/*.test.ts', 'test/architecture/**/*.test.ts'];

/**
 * Which tests run (scripts/test.mjs): `fast` is `npm test`, `rest` what it leaves out, `all` both. Files that are named on
 * the command line run whatever the lane.
 */
const lane = process.env['FLEETGATE_TEST_LANE'] ?? 'all';

/** Left to `npm run test:all`, each with the claim that it proves; files that ask for an outside program are too. */
const SLOW = [
  // whole processes, random and foreign input, other programs
  /^test\/(?:e2e|fuzz|interop)\//,
  /^test\/integration\/(?:api\/clients|cli|containers|delivery|dispatch\/model|production|supervisor)\//,
  // positions of past days: nothing is lost or doubled when a process is killed at any step, as rows and as files
  /^test\/integration\/history\//,
  // an embedded database is moved, copied, and run by another user
  /^test\/integration\/embedded\//,
  // SQL and other text in every field of every operation
  /^test\/integration\/dispatch\/injection\.test\.ts$/,
  // thousands of entries of the audit trail, and each way to falsify them
  /^test\/integration\/api\/audit-chain\.test\.ts$/,
  // every operation with every scope and role
  /^test\/integration\/api\/(?:access|row-security)\.test\.ts$/,
  // clients of Traccar
  /^test\/integration\/api\/compat-traccar\//,
  // reports in every order of arrival, and a month of them again
  /^test\/integration\/notifications\/(?:arrival|backtest)\.test\.ts$/,
  // a year of days, and 1,200 vehicles
  /^test\/integration\/movement\/(?:days|large-fleet)\.test\.ts$/,
  // a database of an older version with data
  /^test\/integration\/postgres\/device-state\.test\.ts$/,
  // stores of gigabytes
  /^test\/unit\/delivery\/set-aside-size\.test\.ts$/,
];

/** Test files of the fast lane, and the others: those of SLOW, and those that ask for an outside program. */
function testFiles(): { readonly fast: readonly string[]; readonly slow: readonly string[] } {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join('test', path).replaceAll('\\', '/'));
  const isSlow = (path: string): boolean =>
    SLOW.some((pattern) => pattern.test(path)) || /\bneeds(?:Python)?\('/.test(readFileSync(path, 'utf8'));
  return { fast: files.filter((path) => !isSlow(path)), slow: files.filter(isSlow) };
}

const { fast, slow } = testFiles();
/** Take a sample in the fast lane, and what is left of it in the other. */
const SAMPLED = ['test/conformance/conformance.test.ts', 'test/conformance/mutation.test.ts'];
const leftOut = lane === 'fast' ? slow : lane === 'rest' ? fast.filter((path) => !SAMPLED.includes(path)) : [];

/** Files that run the tests of others in another way: these must not be loaded yet. */
const APART = [
  'test/integration/history/bucket.test.ts',
  'test/integration/history/border.test.ts',
  'test/integration/history/files.test.ts',
  'test/integration/history/narrow-readers.test.ts',
];
/** A whole installation of many processes, with faults: it breaks when others take its time. It runs when all have ended. */
const LAST = ['test/e2e/laboratory.test.ts'];
/** What the database answers for: these run on each supported PostgreSQL too. */
const ON_EACH_DATABASE = [
  'test/integration/postgres/schema.test.ts',
  'test/integration/postgres/plain-owner.test.ts',
  'test/integration/api/records.test.ts',
  'test/integration/api/row-security.test.ts',
  'test/integration/dispatch/enqueue.test.ts',
];
/** What the store of the queue answers for: on Redis and on Valkey. */
const ON_EACH_STORE = ['test/integration/dispatch/queue-faults.test.ts'];
/** Images of PostgreSQL, and of the store that the queue of the same run uses. */
const SERVERS = [
  ['postgres:15', 'valkey/valkey:8', [...ON_EACH_DATABASE, ...ON_EACH_STORE]],
  ['postgres:16', 'redis:8', ON_EACH_DATABASE],
  ['postgres:17', 'valkey/valkey:8', ON_EACH_DATABASE],
  ['postgres:18', 'redis:8', [...ON_EACH_DATABASE, ...ON_EACH_STORE]],
] as const;
/** Where nothing may be left out, tests that need an engine fail without one. */
const withContainers =
  lane !== 'fast' && (findProgram('container-engine') !== undefined || process.env['FLEETGATE_TEST_ALL'] !== undefined);
const globalSetup = 'test/support/shared-server.ts';

export default defineConfig({
  resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] },
  // Node.js does not know the condition `module`: tests load what it loads
  ssr: { resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] } },
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      // A process of its own for each of these 140 files took longer than their tests.
      { extends: true, test: { name: 'alone', include: ALONE, exclude: [...leftOut], isolate: false } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...APART, ...LAST, ...leftOut],
          globalSetup,
          // Loading the server's modules again takes longer than most files.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART, exclude: [...leftOut], globalSetup } },
      { extends: true, test: { name: 'last', include: LAST, exclude: [...leftOut], sequence: { groupOrder: 1 } } },
      ...(withContainers ? SERVERS : []).map(([postgres, store, include]) => ({
        extends: true as const,
        test: {
          name: postgres,
          include: [...include],
          globalSetup,
          isolate: false,
          env: { FLEETGATE_TEST_POSTGRES: postgres, FLEETGATE_TEST_REDIS: store },
        },
      })),
    ],
    // Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
    coverage: {
      provider: 'v8',
      include: ['src/codec/**', 'protocols/**/*.ts'],
      // What the laws cannot ask every protocol for shows here: a branch that no fixture reaches.
      exclude: ['**/simulator.ts'],
      reporter: ['text', 'json-summary'],
      reportOnFailure: true,
      thresholds: { 'protocols/**': { branches: 95 }, 'src/codec/**': { branches: 95 } },
    },
  },
});

import { defineConfig } from 'vitest/config';
import { findProgram } from './scripts/programs.mjs';
import { LongFirst } from './test/support/long-first.ts';

/** Tests of parts of the code, without processes and databases. */
const ALONE = ['test/unit/**/*.test.ts', 'test/conformance/**/*.test.ts', 'test/architecture/**/*.test.ts'];

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
const withContainers = findProgram('container-engine') !== undefined || process.env['FLEETGATE_TEST_ALL'] !== undefined;
const globalSetup = 'test/support/shared-server.ts';

export default defineConfig({
  resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] },
  // Node.js does not know the condition `module`: tests load what it loads
  ssr: { resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] } },
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      // A process of its own for each of these 140 files took longer than their tests.
      { extends: true, test: { name: 'alone', include: ALONE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...APART, ...LAST],
          globalSetup,
          // Loading the server's modules again takes longer than most files.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART, globalSetup } },
      { extends: true, test: { name: 'last', include: LAST, sequence: { groupOrder: 1 } } },
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

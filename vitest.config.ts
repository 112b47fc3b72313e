import { defineConfig } from 'vitest/config';

/** Tests of parts of the code, without processes and databases. */
const ALONE = ['test/unit/**/*.test.ts', 'test/conformance/**/*.test.ts', 'test/architecture/**/*.test.ts'];

/** Files that run the tests of others in another way: these must not be loaded yet. */
const APART = ['test/integration/history/border.test.ts', 'test/integration/history/files.test.ts'];
const globalSetup = 'test/support/shared-server.ts';

export default defineConfig({
  resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] },
  // Node.js does not know the condition `module`: tests load what it loads
  ssr: { resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] } },
  test: {
    projects: [
      // A process of its own for each of these 140 files took longer than their tests.
      { extends: true, test: { name: 'alone', include: ALONE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...APART],
          globalSetup,
          // Loading the server's modules again takes longer than most files.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART, globalSetup } },
    ],
    // Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
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

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] },
  // Node.js does not know the condition `module`: tests load what it loads
  ssr: { resolve: { conditions: ['fleetgate-source', 'node', 'development|production'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
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

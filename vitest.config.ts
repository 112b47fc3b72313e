import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['fleetgate-source', 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['fleetgate-source', 'module', 'node', 'development|production'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/codec/**', 'protocols/**'], exclude: ['**/simulator.ts'] },
  },
});

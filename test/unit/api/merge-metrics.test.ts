import { Gauge, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { mergeMetrics } from '../../../src/server/kernel/http/merge-metrics.ts';

async function metricsOf(process: string, ...names: string[]): Promise<string> {
  const registry = new Registry();
  for (const name of names)
    new Gauge({ name, help: `help of ${name}`, labelNames: ['process'], registers: [registry] }).set({ process }, 1);
  return registry.metrics();
}

test('a metric of two processes has one head, and the samples of both below it', async () => {
  const merged = mergeMetrics(await metricsOf('api', 'own', 'shared'), await metricsOf('gateway', 'shared', 'further'));
  expect(merged.split('\n')).toEqual([
    '# HELP own help of own',
    '# TYPE own gauge',
    'own{process="api"} 1',
    '',
    '# HELP shared help of shared',
    '# TYPE shared gauge',
    'shared{process="api"} 1',
    'shared{process="gateway"} 1',
    '',
    '# HELP further help of further',
    '# TYPE further gauge',
    'further{process="gateway"} 1',
    '',
  ]);
});

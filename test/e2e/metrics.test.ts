import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

let system: System;
let text: string;
beforeAll(async () => {
  system = await startSystem();
  await system.get('/v1/devices');
  const { apiPort, key } = system;
  const answer = await fetch(`http://127.0.0.1:${apiPort}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  text = await answer.text();
});
afterAll(() => system.stop());

const namesIn = (source: string): Set<string> => new Set(source.match(/\bfleetgate_[a-z_]+/g) ?? []);
const withoutSuffix = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');
const read = (...path: string[]): string => readFileSync(join('ops', ...path), 'utf8');

test('the processes of an installation share one page of metrics, which Prometheus accepts', () => {
  expect(text).toMatch(/^process_cpu_seconds_total\{process="api"\} /m);
  expect(text).toMatch(/^process_cpu_seconds_total\{process="gateway"\} /m);
  expect(text).toMatch(/^fleetgate_ready\{check="database",required="true"\} 1$/m);
  expect(text).toMatch(/^fleetgate_ready\{check="gateway: spool",required="true"\} 1$/m);
  expect(text).toMatch(
    /^fleetgate_http_request_seconds_count\{method="GET",route="\/v1\/devices\/?",status="2xx"\} 1$/m,
  );
  expect(text).toMatch(/^fleetgate_database_connections\{pool="app",state="waiting"\} 0$/m);
  const heads = text.match(/^# HELP \S+/gm) ?? [];
  expect(new Set(heads).size).toBe(heads.length);
});

test('every metric of ours is on the dashboard, and nothing else is', () => {
  const exported = new Set((text.match(/^# TYPE fleetgate_\S+/gm) ?? []).map((line) => line.slice('# TYPE '.length)));
  const dashboards = readdirSync(join('ops', 'grafana', 'dashboards'))
    .map((name) => read('grafana', 'dashboards', name))
    .join('\n');
  const shown = new Set([...namesIn(dashboards)].map(withoutSuffix));
  expect([...exported].filter((name) => !shown.has(name))).toEqual([]);
  const used = [...shown, ...[...namesIn(read('prometheus', 'rules.yml'))].map(withoutSuffix)];
  // the probe is a process of its own, test/e2e/probe.test.ts
  expect(used.filter((name) => !exported.has(name) && !name.startsWith('fleetgate_probe_'))).toEqual([]);
});

test.skipIf(needs('promtool') === undefined)('alert rules and metrics pass the checks of promtool', () => {
  const promtool = needs('promtool')!;
  const rules = spawnSync(promtool, ['test', 'rules', 'ops/prometheus/rules.test.yml'], { encoding: 'utf8' });
  expect(rules.status, rules.stdout + rules.stderr).toBe(0);
  // 3: advice on style, such as names of metrics that Node made known
  const metrics = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect([0, 3], metrics.stderr).toContain(metrics.status);
});

test('every alert has a scenario in which it fires, one in which it must not, and a section of the runbook', () => {
  const alerts = [...read('prometheus', 'rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const scenarios = read('prometheus', 'rules.test.yml');
  const runbook = readFileSync(join('docs', 'runbook.md'), 'utf8');
  expect(alerts.length).toBeGreaterThan(20);
  for (const alert of alerts) {
    expect(scenarios, alert).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts`));
    expect(read('prometheus', 'rules.yml')).toContain(`runbook_url: docs/runbook.md#${alert.toLowerCase()}\n`);
    expect(runbook).toContain(`\n### ${alert}\n`);
  }
});

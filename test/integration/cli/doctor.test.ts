import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkNode } from '../../../src/cli/doctor/machine.ts';
import { judgeMetrics, parseMetrics } from '../../../src/cli/doctor/metrics.ts';
import { runCommand } from '../../support/command-line.ts';

// Real processes and disks: what takes a second on a machine of one's own takes a minute on a crowded one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let folder: string;
let server: Server | undefined;
let status: HttpServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-doctor-'));
});
afterEach(() => {
  server?.close();
  server = undefined;
  status?.close();
  status = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Ports that nothing is asked of. */
const quiet = (): Record<string, string> => ({ DATA_DIR: join(folder, 'data'), PORT: '0', AUTO_PORT: '0' });

async function listening(answer?: string): Promise<number> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (answer !== undefined) socket.on('data', () => socket.write(answer));
  });
  await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

test('a correct setup has no problems', async () => {
  const { code, stdout } = await runCommand(['doctor'], quiet());
  expect(stdout).not.toMatch(/^fail/m);
  expect(stdout).toMatch(/^ok {4}postgres \(PostgreSQL\) \d+\.\d+ runs here$/m);
  expect(code).toBe(0);
});

test('every wrong setting is listed', async () => {
  const { code, stdout } = await runCommand(['doctor'], { ...quiet(), PORT: 'x', ROLE: 'queen' });
  expect(stdout).toMatch(/^fail {2}PORT: /m);
  expect(stdout).toMatch(/^fail {2}ROLE: /m);
  expect(code).toBe(1);
});

test('a port in use is reported, with instructions', async () => {
  const port = await listening();
  const { code, stdout } = await runCommand(['doctor'], { ...quiet(), PORT_GT06: String(port) });
  expect(stdout).toMatch(
    new RegExp(`^fail  PORT_GT06: 127\\.0\\.0\\.1:${port} cannot be opened .*\\n +→ .*another PORT_GT06`, 'm'),
  );
  expect(code).toBe(1);
});

test('a database and a Redis that do not answer are reported', async () => {
  const nobody = 'redis://127.0.0.1:1';
  const settings = { ...quiet(), DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:1/x', REDIS_URL: nobody };
  const { code, stdout, stderr } = await runCommand(['doctor'], settings);
  expect(stdout).toMatch(/^fail {2}the database does not answer: .*ECONNREFUSED/m);
  expect(stdout).toMatch(/^fail {2}Redis does not answer: .*ECONNREFUSED/m);
  expect(stdout + stderr).not.toContain('hunter2');
  expect(code).toBe(1);
});

test('an available Redis is reported, and one that requires another password', async () => {
  const port = await listening('+PONG\r\n');
  expect((await runCommand(['doctor'], { ...quiet(), REDIS_URL: `redis://127.0.0.1:${port}` })).stdout).toMatch(
    /^ok {4}Redis answers$/m,
  );
  server!.close();
  const strict = await listening('-NOAUTH Authentication required.\r\n');
  const { stdout } = await runCommand(['doctor'], { ...quiet(), REDIS_URL: `redis://127.0.0.1:${strict}` });
  expect(stdout).toMatch(/^fail {2}Redis answers -NOAUTH/m);
});

test('keys that others can read are reported', async () => {
  const data = join(folder, 'data');
  mkdirSync(join(data, 'keys'), { recursive: true });
  chmodSync(join(data, 'keys'), 0o755);
  const { code, stdout } = await runCommand(['doctor'], quiet());
  expect(stdout).toMatch(/^fail .*keys is open to other users\n +→ chmod -R go-rwx/m);
  expect(code).toBe(1);
});

test('a DATA_DIR that is a file is reported', async () => {
  writeFileSync(join(folder, 'data'), '');
  const { code, stdout } = await runCommand(['doctor'], quiet());
  expect(stdout).toMatch(/^fail {2}DATA_DIR .* is no folder/m);
  expect(code).toBe(1);
});

test('a Node that is too old is reported', () => {
  expect(checkNode('20.18.3').level).toBe('fail');
  expect(checkNode('18.20.0').level).toBe('fail');
  expect(checkNode('20.19.0').level).toBe('ok');
  expect(checkNode('24.1.0').level).toBe('ok');
});

/** A server of these settings that runs: what it answers at /readyz and /metrics. */
async function running(readiness: object, metrics: string): Promise<Record<string, string>> {
  status = createHttpServer(({ url, headers }, response) => {
    const body = url === '/readyz' ? JSON.stringify(readiness) : metrics;
    response.statusCode = url === '/metrics' && headers.authorization !== 'Bearer a-token-of-metrics' ? 401 : 200;
    response.end(body);
  });
  await new Promise<void>((done) => status!.listen(0, '127.0.0.1', done));
  const { port } = status.address() as AddressInfo;
  return { ...quiet(), ROLE: 'gateway', API_URL: `http://127.0.0.1:${port}`, PORT: String(port) };
}
const OTHER = { INTERNAL_KEY: 'an-internal-key-of-tests', METRICS_TOKEN: 'a-token-of-metrics' };

test('a healthy server that runs has no problems: its ports are its own', async () => {
  const settings = await running(
    { status: 'ready', checks: [{ name: 'spool', ok: true }] },
    'fleetgate_spool_bytes 1\n',
  );
  const { code, stdout } = await runCommand(['doctor'], { ...settings, ...OTHER });
  expect(stdout).toMatch(/^ok {4}the server answers at .*: ready, 1 of 1 checks hold$/m);
  expect(stdout).toMatch(/^ok {4}its metrics are within the limits of \d+ alerts$/m);
  expect(stdout).not.toMatch(/^fail/m);
  expect(code).toBe(0);
});

test('of a server that runs, it says what is wrong, since when, what it stops and what to do', async () => {
  const checks = [
    { name: 'spool', ok: false, detail: 'no room', refused: 'every record', since: '2026-11-29T02:10:00.000Z' },
    { name: 'downlink', ok: false, required: false, detail: 'ECONNREFUSED' },
  ];
  const settings = await running({ status: 'not-ready', checks }, 'fleetgate_spool_lag_seconds{target="api"} 900\n');
  const { code, stdout } = await runCommand(['doctor'], { ...settings, ...OTHER });
  expect(stdout).toMatch(
    /^fail {2}spool: no room; since 2026-11-29T02:10:00.000Z; stops: every record\n +→ docs\/runbook.md, FleetgateNotReady$/m,
  );
  expect(stdout).toMatch(/^warn {2}downlink: ECONNREFUSED\n +→ docs\/runbook.md, FleetgateDegraded$/m);
  expect(stdout).toMatch(/^warn {2}target api is 900 s behind.*\n +→ docs\/runbook.md, FleetgateSpoolLag$/m);
  expect(code).toBe(1);
});

test('every metric that it judges has the alert and the section that it names', () => {
  const rules = readFileSync('ops/prometheus/rules.yml', 'utf8');
  const runbook = readFileSync('docs/runbook.md', 'utf8');
  const wrong = parseMetrics(
    ['spool_bytes', 'spool_set_aside', 'command_queues_full', 'queue_outbox', 'rules_lag_seconds', 'history_lag_days']
      .map((name) => `fleetgate_${name} 1e9`)
      .concat('fleetgate_spool_limit_bytes 1e9', 'fleetgate_downlink_streams 0', 'fleetgate_disk_free_bytes 1')
      .concat('fleetgate_certificate_expires_seconds{setting="TLS_CERT"} 1', 'fleetgate_spool_set_aside_full 1')
      .concat('fleetgate_command_oldest_pending_seconds 1e9', 'fleetgate_stream_lag_seconds 1e9')
      .concat('fleetgate_database_connections{state="waiting"} 1', 'fleetgate_deliveries{channel="a",state="failed"} 1')
      .join('\n'),
  );
  const findings = judgeMetrics(wrong);
  expect(findings).toHaveLength(14);
  for (const { advice } of findings) {
    const alert = /, (\w+)$/.exec(advice!)![1]!;
    expect(rules).toContain(`alert: ${alert}\n`);
    expect(runbook).toContain(`### ${alert}\n`);
  }
});

test('the age of the newest backup is judged', async () => {
  const place = join(folder, 'backups');
  const none = await runCommand(['doctor'], { ...quiet(), BACKUP_URL: place });
  expect(none.stdout).toMatch(/^fail {2}.* has no complete backup/m);
  const manifest = {
    format: 'fleetgate-backup',
    version: 1,
    fleetgate: '0',
    startedAt: '2026-01-01T00:00:00Z',
    seconds: 1,
    sealed: false,
    rows: 0,
    tables: 0,
    files: [],
  };
  mkdirSync(join(place, 'fleetgate-20260101T000000Z'), { recursive: true });
  writeFileSync(join(place, 'fleetgate-20260101T000000Z', 'manifest.json'), JSON.stringify(manifest));
  const old = await runCommand(['doctor'], { ...quiet(), BACKUP_URL: place });
  expect(old.stdout).toMatch(/^fail {2}the newest backup is fleetgate-20260101T000000Z, \d+\.\d days old/m);
});

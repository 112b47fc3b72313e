import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { INHERITED } from '../support/inherited.ts';
import { freePort } from '../support/ports.ts';
import { ENTRY } from '../support/processes.ts';

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleetgate-gap-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** What a full disk and a kill leave: the settled segment is deleted, and the cursor on disk is older. */
async function writeGap(): Promise<void> {
  for (const name of ['cursors', 'segments']) await mkdir(join(folder, 'spool', name), { recursive: true });
  await writeFile(join(folder, 'spool', 'cursors', 'api.json'), '{"seq":5}\n');
  await writeFile(join(folder, 'spool', 'segments', '0000000000000007.log'), '');
}

/** Starts a gateway whose API is away; resolves with its lines once it has written the text. */
async function startGateway(port: number, text: string): Promise<string[]> {
  const env = {
    ...INHERITED,
    ROLE: 'gateway',
    DATA_DIR: folder,
    PORT: String(port),
    AUTO_PORT: String(await freePort()),
    API_URL: `http://127.0.0.1:${await freePort()}`,
    INTERNAL_KEY: 'internal-key-of-a-gateway-that-is-alone',
    METRICS_PUBLIC: 'true',
    LOG_LEVEL: 'info',
  };
  child = spawn(process.execPath, [ENTRY], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr!.setEncoding('utf8');
  for await (const part of child.stderr!.iterator({ destroyOnReturn: false })) {
    output += part;
    if (output.includes(text)) break;
  }
  child.stderr!.resume();
  return output.split('\n');
}

it('a gateway starts and stops where sequence numbers behind its cursor have no record', async () => {
  await writeGap();
  const port = await freePort();
  const lines = await startGateway(port, 'gateway ready');
  const gaps = lines.filter((line) => line.includes('no records with these sequence numbers'));
  expect(gaps.map((line) => JSON.parse(line))).toMatchObject([{ target: 'api', first: 6, last: 6, count: 1 }]);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('fleetgate_spool_missing_records_total{target="api"} 1\n');
  const exited = once(child!, 'exit');
  child!.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(JSON.parse(await readFile(join(folder, 'spool', 'cursors', 'api.json'), 'utf8'))).toEqual({ seq: 6 });
});

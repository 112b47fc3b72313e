import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY } from '../../support/api.ts';
import { positionEvent } from '../../support/positions.ts';
import { needs } from '../../support/programs.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

const schemathesis = needs('schemathesis');
const SECONDS = 900;
const config = join(import.meta.dirname, 'schemathesis.toml');

let world: CommandWorld;
let folder: string;
beforeAll(async () => {
  if (schemathesis === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-schemathesis-'));
  world = await openCommands({ diagnostics: true });
  const { api } = world;
  await api.events([positionEvent('S-1', 1)]);
  await api.send('POST', '/v1/vehicles', { targa: 'AB123CD' });
  await api.send('POST', '/v1/pairings', { targa: 'AB123CD', imei: 'S-1', from: 1_000_000_000_001 });
});
afterAll(async () => {
  await world?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** Exit code and what it said. */
function run(args: readonly string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(schemathesis!, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    child.on('error', reject);
    child.on('exit', (code) => resolve({ code, said }));
  });
}

test.skipIf(schemathesis === undefined)(
  'every answer to a generated request is documented',
  async () => {
    const { code, said } = await run([
      '--config-file',
      config,
      'run',
      `${world.api.url}/openapi.json`,
      '--header',
      `Authorization: Bearer ${API_KEY}`,
      '--workers',
      '2',
      // the same requests each time: a finding is one of a change, not of the day
      '--generation-deterministic',
      '--max-examples',
      '3',
    ]);
    expect(code, said).toBe(0);
  },
  SECONDS * 1000,
);

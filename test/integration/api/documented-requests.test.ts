import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilAnalysed } from '../../support/analysed.ts';
import { API_KEY } from '../../support/api.ts';
import { positionOf } from '../../support/positions.ts';
import { needs } from '../../support/programs.ts';
import { cardFile, datesFrom, dayOf, ordinary, secondsOf } from '../../support/tachograph.ts';
import { type CommandWorld, type FakeGateway, openCommands } from './commands/support.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const IMEI = '350000000000014';

interface Block {
  readonly name: string;
  readonly text: string;
}
/** Blocks of the pages, but of the quick start, which has a test of its own. */
const blocks: readonly Block[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'api.md')
    .map((name) => join('docs', name)),
].flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, text], n) => ({
    name: `${file}, block ${n + 1}`,
    text: text!,
  })),
);
const commands = blocks.filter(({ text }) => /^curl [^|]*127\.0\.0\.1:8080/ms.test(text));
/** `POST /v1/streams` and a body */
const requests = blocks.filter(({ text }) => /^(GET|POST|PUT|PATCH|DELETE) \/v1\//.test(text));

let world: CommandWorld;
let gateway: FakeGateway;
const folder = mkdtempSync(join(tmpdir(), 'fleetgate-requests-'));
const actual: Record<string, string> = {};
beforeAll(async () => {
  world = await openCommands();
  const { api } = world;
  await api.send('POST', '/v1/users', { username: 'admin', role: 'admin', password: 'seven grey herons' });
  const admin = { username: 'boss', password: 'seven grey herons', email: 'boss@acme.example' };
  await api.send('POST', '/v1/tenants', { name: 'acme', title: 'Acme', timezone: 'UTC', admin });
  await api.send('POST', '/v1/positions', { positions: [positionOf(IMEI, 1)] });
  gateway = await world.gateway();
  await gateway.connect(IMEI);
  const made = await api.send('POST', '/v1/gprsCommands/', { imei: IMEI, gprsCommand: 'getver' });
  actual['cmd_…'] = made.body.commandId;
  const first = await gateway.next();
  await gateway.sent(first);
  await gateway.answer(first);
  const driver = { name: 'Carla Rossi', cardNumber: 'I000000012345600' };
  actual['drv_…'] = (await api.send('POST', '/v1/drivers', driver)).body.id;
  mkdirSync(join(folder, 'downloads'));
  const days = datesFrom('2026-03-01', 28).map((date) => dayOf(date, ordinary, 400));
  const card = cardFile({ days, lastDownload: secondsOf('2026-03-29T20:00:00Z') });
  writeFileSync(join(folder, 'downloads', 'card.ddd'), card);
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(card)]), 'card.ddd');
  const headers = { authorization: `Bearer ${API_KEY}` };
  const stored = await fetch(`${api.url}/v1/drivers/ddd`, { method: 'POST', headers, body: form });
  await untilAnalysed(api, ((await stored.json()) as { fileId: string }).fileId);
});
afterAll(async () => {
  gateway?.close();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A held stream ends by itself: it is read for a moment. */
const CURL = `
curl() {
  if [[ " $* " == *' -N '* ]]; then command curl --silent --fail --max-time 1 "$@" || [[ $? == 28 ]]
  else command curl --silent --show-error --fail-with-body "$@"; fi
}
`;
const placed = (text: string): string =>
  Object.entries(actual).reduce((done, [name, value]) => done.replaceAll(name, value), text);

test('the pages have requests', () => {
  expect(commands.length).toBeGreaterThanOrEqual(6);
  expect(requests.length).toBeGreaterThanOrEqual(1);
});

test.skipIf(needs('curl') === undefined).each(commands)(
  'curl works as printed: $name',
  async ({ text }) => {
    const lines = text.replaceAll('http://127.0.0.1:8080', world.api.url).split('\n');
    const own = lines.filter((line) => !/^(npm|export) /.test(line)).join('\n');
    if (text.includes('?wait=')) {
      void gateway.next().then(async (line) => {
        await gateway.sent(line);
        await gateway.answer(line);
      });
    }
    const child = spawn('bash', ['-c', `set -euo pipefail\n${CURL}\n${placed(own)}`], {
      cwd: folder,
      env: { ...process.env, API_KEY },
    });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    child.stderr.on('data', (data) => {
      output += data;
    });
    const [code] = await once(child, 'close');
    expect(code, output).toBe(0);
  },
  60_000,
);

test.each(requests)('the request is answered: $name', async ({ text }) => {
  const [head = '', ...body] = text.split('\n');
  const [method, path] = head.split(' ');
  const answer = await world.api.send(
    method!,
    path!,
    body.join('').trim() === '' ? undefined : JSON.parse(body.join('\n')),
  );
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signatureHeaders } from '../../../../src/server/index.ts';
import { API_KEY } from '../../../support/api.ts';
import { positionOf } from '../../../support/positions.ts';
import { needs } from '../../../support/programs.ts';
import { type CommandWorld, type FakeGateway, openCommands } from '../commands/support.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'api.md'), 'utf8');
/** The blocks of a language, as one program. */
const programOf = (language: string): string =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .flatMap(([, name, text]) => (name === language ? [text!] : []))
    .join('\n');
const sections = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title);

const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'quick-start-'));

let world: CommandWorld;
let gateway: FakeGateway;
let imei: string;
beforeAll(async () => {
  world = await openCommands();
  imei = await world.device();
  gateway = await world.gateway();
  await gateway.connect(imei);
});
afterAll(async () => {
  gateway?.close();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Environment of the programs. The request of a webhook is one that the server could have sent. */
async function environment(): Promise<Record<string, string>> {
  const { secret } = (await world.api.get('/v1/webhooks/secret')).body;
  const body = '{"events":[]}';
  const signed = signatureHeaders(secret, { id: 'msg_1', at: Date.now(), body });
  return {
    ...(process.env as Record<string, string>),
    API_URL: world.api.url,
    API_KEY,
    IMEI: imei,
    RECEIVER_URL: `http://127.0.0.1:${await freePort()}/hook`,
    WEBHOOK_ID: signed['webhook-id']!,
    WEBHOOK_TIMESTAMP: signed['webhook-timestamp']!,
    WEBHOOK_SIGNATURE: signed['webhook-signature']!,
    WEBHOOK_BODY: body,
  };
}

/** A program that has not ended by then never will. */
const PROGRAM_MS = 60_000;

let positions = 0;
/** Runs a program while the device drives and answers commands. Returns its lines. */
async function run(command: string, args: readonly string[]): Promise<string[]> {
  const child: ChildProcess = spawn(command, args, { env: await environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout!.on('data', (text) => {
    output += text;
  });
  child.stderr!.on('data', (text) => {
    errors += text;
  });
  const stuck = setTimeout(() => child.kill('SIGKILL'), PROGRAM_MS);
  let hasEnded = false;
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true;
    clearTimeout(stuck);
    return code as number;
  });
  const answering = gateway.next().then(async (line) => {
    await gateway.sent(line);
    await gateway.answer(line, { text: 'Ver:1.0' });
  });
  const driving = (async () => {
    while (!hasEnded) {
      // a gateway that is silent has no connections
      await gateway.presence();
      await world.api.send('POST', '/v1/positions', { positions: [positionOf(imei, ++positions)] });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const code = await ended;
  await driving;
  expect({ code, errors }, output).toEqual({ code: 0, errors: '' });
  await answering;
  return output.trim().split('\n');
}

test('every section has a block of each language', () => {
  expect(sections).toEqual(['Authentication', 'Idempotency', 'Paging', 'Streaming', 'Commands', 'Webhooks']);
  for (const section of page.split(/^## /m).slice(1)) {
    for (const language of ['sh', 'ts', 'python']) expect(section).toContain(`\`\`\`${language}\n`);
  }
});

const curl = needs('curl');
test.skipIf(curl === undefined || needs('openssl') === undefined)(
  'the commands of curl work',
  async () => {
    const lines = await run('bash', ['-c', programOf('sh')]);
    const [first, again] = lines.filter((line) => line.startsWith('drv_'));
    expect(again).toBe(first);
    expect(lines.filter((line) => line.startsWith('data: '))).toHaveLength(1);
    expect(lines.join('\n')).toContain('"status":"acknowledged"');
  },
  120_000,
);

test('the program in TypeScript works, and is strict', async () => {
  const source = join(folder, 'quick-start.ts');
  writeFileSync(source, programOf('ts'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compile = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--strict', '--outDir', join(folder, 'out')];
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--skipLibCheck',
    '--ignoreConfig',
    source,
  ];
  const compiler = spawn(process.execPath, [...compile, ...options], { cwd: folder });
  let problems = '';
  compiler.stdout.on('data', (text) => {
    problems += text;
  });
  await once(compiler, 'close');
  expect(problems).toBe('');
  const lines = await run(process.execPath, [join(folder, 'out', 'quick-start.js')]);
  expect(lines).toContain('true true');
  expect(lines).toContain('true false');
  expect(lines).toContain('acknowledged Ver:1.0');
  expect(lines).toContain(imei);
}, 180_000);

const python = needs('python');
test.skipIf(python === undefined)(
  'the program in Python works',
  async () => {
    const source = join(folder, 'quick_start.py');
    writeFileSync(source, programOf('python'));
    const lines = await run(python!, ['-u', source]);
    expect(lines).toContain('True true');
    expect(lines).toContain('acknowledged Ver:1.0');
    expect(lines).toContain(imei);
    expect(lines).toContain('True False');
  },
  120_000,
);

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY } from '../../../support/api.ts';
import { type ExampleAnswer, requestExamples } from '../../../support/example-calls.ts';
import { needs } from '../../../support/programs.ts';
import { type CommandWorld, openCommands } from '../commands/support.ts';

const generator = needs('openapi-python-client');
const root = join(import.meta.dirname, '..', '..', '..', '..');
const MINUTES = 60_000;

/** A program of the environment that the generator is installed in. */
const beside = (program: string): string => join(dirname(generator!), program);

describe.skipIf(generator === undefined)('a client that openapi-python-client generates', () => {
  let parent: string;
  let folder: string;
  let generated: ReturnType<typeof spawnSync>;
  beforeAll(() => {
    parent = realpathSync(mkdtempSync(join(tmpdir(), 'fleetgate-python-client-')));
    folder = join(parent, 'client');
    const document = join(root, 'docs', 'openapi.json');
    // ruff formats the files of the client; it is found beside the generator
    const env = { ...process.env, PATH: `${dirname(generator!)}:${process.env['PATH']}` };
    const args = ['generate', '--path', document, '--output-path', folder];
    generated = spawnSync(generator!, args, { encoding: 'utf8', cwd: parent, env });
    writeFileSync(join(folder, 'pyrightconfig.json'), '{"include":["fleetgate_client"]}');
  }, 3 * MINUTES);
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  test('is complete: there are no warnings', () => {
    expect(generated.status, String(generated.stderr)).toBe(0);
    expect(String(generated.stdout).trim()).toMatch(/^Generating \S+$/);
    expect(readdirSync(join(folder, 'fleetgate_client', 'api')).length).toBeGreaterThan(10);
  });

  test.each([
    ['mypy', ['--strict', 'fleetgate_client']],
    ['pyright', ['--pythonpath', 'python3']],
  ])(
    'satisfies %s',
    (program, args) => {
      const python = beside('python3');
      const { status, stdout } = spawnSync(
        beside(program),
        args.map((each) => (each === 'python3' ? python : each)),
        {
          encoding: 'utf8',
          cwd: folder,
        },
      );
      expect(status, stdout).toBe(0);
    },
    3 * MINUTES,
  );

  describe('with a server', () => {
    let world: CommandWorld;
    beforeAll(async () => {
      world = await openCommands({ diagnostics: true });
    });
    afterAll(() => world?.stop());

    test(
      'calls every operation and reads the answers',
      async () => {
        const driver = spawn(beside('python3'), [join(import.meta.dirname, 'driver.py'), world.api.url], {
          cwd: folder,
          env: { ...process.env, PYTHONPATH: folder },
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        const answers = createInterface({ input: driver.stdout })[Symbol.asyncIterator]();
        const unexpected = await requestExamples(world.api, API_KEY, async (call) => {
          driver.stdin.write(`${JSON.stringify(call)}\n`);
          return JSON.parse((await answers.next()).value) as ExampleAnswer;
        });
        driver.stdin.end();
        await once(driver, 'exit');
        expect(unexpected).toEqual([]);
      },
      3 * MINUTES,
    );
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command-line.ts';
import { type System, startSystem } from '../support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const run = (settings: Record<string, string>, ...args: readonly string[]) =>
  runCommand(['probe', '--once', '--api', `http://127.0.0.1:${system.apiPort}`, ...args], {
    API_KEY: system.key,
    AUTO_PORT: String(system.devicePort),
    ...settings,
  });

test('the probe reports a position, reads it back, and has a command answered', async () => {
  const { code, stdout, stderr } = await run({});
  expect(code, stdout + stderr).toBe(0);
  const { ok, steps } = JSON.parse(stdout);
  expect(ok).toBe(true);
  expect(steps.map(({ step }: { step: string }) => step)).toEqual(['acknowledge', 'position', 'command']);
});

test('a gateway that does not answer fails the first step, with its reason', async () => {
  const { code, stdout } = await run({ AUTO_PORT: '9' }, '--timeout', '1');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    steps: [{ step: 'acknowledge', ok: false, detail: 'took longer than 1 s' }],
  });
});

test('a key that may not read fails the step that reads', async () => {
  const { code, stdout } = await run({ API_KEY: 'no-such-key-of-ours' });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).steps[1]).toMatchObject({ step: 'position', ok: false, detail: 'the API answered 401' });
});

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/apps/config.ts';
import { createSecrets, openSecrets } from '../../../src/server/kernel/secrets/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { runCommand } from '../../support/command-line.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

vi.setConfig({ testTimeout: 120_000 });

const PASSWORD = 'correct horse battery';
const folder = mkdtempSync(join(tmpdir(), 'fleetgate-secrets-'));
const config = loadConfig({ DATA_DIR: folder });
let url: string;
let api: RunningApi;
let accessToken: string;
let totp: TOTP;
let webhookSecret: string;

const login = (otp?: string) =>
  api.send('POST', '/v1/auth/credentials', { username: 'admin', password: PASSWORD, ...(otp ? { otp } : {}) }, none);
const none = { authorization: '' };
const bearer = () => ({ authorization: `Bearer ${accessToken}` });

/** every value as the database has it */
async function stored(): Promise<string[]> {
  const { rows } = await api.database.ingest.query(
    `select secret as value from user_otp union all select private_jwk::text from signing_key
     union all select webhook_secret from tenant_setting where webhook_secret is not null`,
  );
  return rows.map(({ value }) => value.replaceAll('"', ''));
}

beforeAll(async () => {
  url = await withDatabase(async (fresh) => fresh);
  api = await startApi(url, {}, { adminPassword: PASSWORD, secrets: openSecrets(config) });
  accessToken = (await login()).body.accessToken;
  const { secret } = (await api.send('POST', '/v1/users/me/otp', { password: PASSWORD }, bearer())).body;
  totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await api.send('POST', '/v1/users/me/otp/confirm', { otp: totp.generate() }, bearer());
  webhookSecret = (await api.get('/v1/webhooks/secret')).body.secret;
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
  rmSync(folder, { recursive: true });
});

const restart = async (secrets = openSecrets(config)): Promise<void> => {
  await api.stop();
  api = await startApi(url, {}, { secrets });
};
/** token, one-time password and webhook secret are what they were */
async function expectAllToOpen(): Promise<void> {
  expect((await api.get('/v1/users/me', bearer())).status).toBe(200);
  expect((await login()).body.code).toBe('otp-required');
  await api.database.ingest.query('update user_otp set last_period = 0');
  expect((await login(totp.generate())).status).toBe(200);
  expect((await api.get('/v1/webhooks/secret')).body.secret).toBe(webhookSecret);
}

test('is encrypted in the database, with a key that only the owner of DATA_DIR can read', async () => {
  const values = await stored();
  expect(values).toHaveLength(3);
  for (const value of values) expect(value).toMatch(/^sealed:v1:[0-9a-f]{12}:[\w-]+$/);
  expect(values.join()).not.toContain(totp.secret.base32);
  expect(statSync(join(folder, 'keys/secrets-key')).mode & 0o777).toBe(0o600);
});

test('what an earlier version stored in clear is encrypted at the start, and stays valid', async () => {
  const secrets = openSecrets(config);
  const { ingest } = api.database;
  const { rows } = await ingest.query("select kid, private_jwk #>> '{}' as sealed from signing_key");
  for (const { kid, sealed } of rows) {
    const clear = secrets.open(sealed, `signing_key.private_jwk:${kid}`);
    await ingest.query('update signing_key set private_jwk = $2 where kid = $1', [kid, clear]);
  }
  await ingest.query('update user_otp set secret = $1', [totp.secret.base32]);
  await ingest.query('update tenant_setting set webhook_secret = $1', [webhookSecret]);
  await restart();
  for (const value of await stored()) expect(value).toMatch(/^sealed:v1:/);
  await expectAllToOpen();
});

test('is encrypted with a new key by `secrets rotate`, while the server is running', async () => {
  const before = await stored();
  const keyBefore = readFileSync(join(folder, 'keys/secrets-key'), 'utf8').split('\n')[0]!;
  const ran = await runCommand(['secrets', 'rotate'], { DATABASE_URL: url, DATA_DIR: folder });
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^[34] secrets encrypted with a new key\n$/),
  });
  expect(ran.stdout + ran.stderr).not.toContain(keyBefore);
  const prefixes = (values: string[]) => new Set(values.map((value) => value.slice(0, 23)));
  expect([...prefixes(await stored())]).toEqual([openSecrets(config).currentPrefix]);
  expect(prefixes(before).has(openSecrets(config).currentPrefix)).toBe(false);
  await expectAllToOpen();
  await restart();
  await expectAllToOpen();
});

test('is encrypted with the key of the settings by `secrets rotate`', async () => {
  const [current] = readFileSync(join(folder, 'keys/secrets-key'), 'utf8').split('\n') as [string];
  const settings = { SECRETS_KEY: 'a key of the operator, long enough', SECRETS_KEY_PREVIOUS: current };
  const secrets = openSecrets(loadConfig({ DATA_DIR: folder, ...settings }));
  // a server that has the key before would encrypt what it makes meanwhile with that one
  await api.stop();
  const ran = await runCommand(['secrets', 'rotate'], { DATABASE_URL: url, DATA_DIR: folder, ...settings });
  expect(ran.code).toBe(0);
  api = await startApi(url, {}, { secrets: createSecrets(() => [settings.SECRETS_KEY]) });
  for (const value of await stored()) expect(value.startsWith(secrets.currentPrefix)).toBe(true);
  await expectAllToOpen();
});

test('changes from one key of the settings to the next without a stop, with two processes of the API', async () => {
  const old = 'a key of the operator, long enough';
  const next = 'the key of the operator after that';
  const opened = (keys: object) => openSecrets(loadConfig({ DATA_DIR: folder, ...keys }));
  // both know both, and the first one encrypts with the new one already
  const other = await startApi(url, {}, { secrets: opened({ SECRETS_KEY: old, SECRETS_KEY_NEXT: next }) });
  try {
    await restart(opened({ SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: old }));
    // the start has changed nothing that a process with the old key would not be able to read
    const oldPrefix = opened({ SECRETS_KEY: old }).currentPrefix;
    for (const value of await stored()) expect(value.startsWith(oldPrefix)).toBe(true);
    const settings = { DATABASE_URL: url, DATA_DIR: folder, SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: old };
    const ran = await runCommand(['secrets', 'rotate'], settings);
    expect(ran.stdout).toContain('user_otp: 1 of 1\n');
    await expectAllToOpen();
    expect((await other.get('/v1/webhooks/secret')).body.secret).toBe(webhookSecret);
    // one that has only the old key could not start any longer; one that accepts the new one does
    await restart(opened({ SECRETS_KEY: old, SECRETS_KEY_NEXT: next }));
    await expectAllToOpen();
  } finally {
    await other.stop();
    await restart(opened({ SECRETS_KEY: next }));
  }
});

describe('with a key that is lost', () => {
  test('the API does not start, and says what to do', async () => {
    await expect(startApi(url, {}, { secrets: createSecrets(() => ['another key']) })).rejects.toThrow(/SECRETS_KEY/);
    await expectAllToOpen();
  });

  test('`secrets discard` removes what cannot be opened', async () => {
    const settings = { DATABASE_URL: url, SECRETS_KEY: 'the next key of the operator, long' };
    expect(await runCommand(['secrets', 'discard'], settings)).toMatchObject({
      stderr: expect.stringMatching(/^[34] secrets removed\n$/),
    });
    await restart(createSecrets(() => [settings.SECRETS_KEY]));
    expect((await login()).status).toBe(200);
    expect((await api.get('/v1/webhooks/secret')).body.secret).not.toBe(webhookSecret);
  });
});

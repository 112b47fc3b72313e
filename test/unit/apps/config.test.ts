import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { effectiveSettings, loadConfig } from '../../../src/apps/config.ts';
import { ConfigError } from '../../../src/platform/config-error.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function file(text: string): Record<string, string> {
  const path = join(folder, 'fleetgate.yaml');
  writeFileSync(path, text);
  return { CONFIG_FILE: path };
}

describe('all problems are reported at once', () => {
  test('those of single settings with those between settings', () => {
    const problems = problemsOf({ PORT: 'x', ROLE: 'gateway', TLS_CERT: 'cert.pem', PORT_GT06: '0' });
    expect(problems).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^PORT_GT06: /),
      'API_URL: required with ROLE=gateway',
      'INTERNAL_KEY: required with ROLE=gateway',
      'TLS_CERT, TLS_KEY: must be set together',
    ]);
  });

  test('a setting that is wrong by itself is not reported a second time', () => {
    expect(problemsOf({ SECRETS_KEY: 'short', SECRETS_KEY_PREVIOUS: 'x'.repeat(32) })).toEqual([
      expect.stringMatching(/^SECRETS_KEY: /),
    ]);
  });

  test.each(['foo', 'host:5432/db', 'mysql://u@h/db', 'postgresql://'])('DATABASE_URL=%s is a setting error', (url) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([
      expect.stringMatching(/^DATABASE_URL: must be a connection URL/),
    ]);
  });

  test.each([
    'postgresql://u:p@h:5432/db',
    'postgres:///db?host=/var/run/postgresql',
    'postgresql://u@one:5432,two:5433/db?target_session_attrs=read-write',
    '/var/run/postgresql fleet',
  ])('DATABASE_URL=%s is one', (url) => expect(problemsOf({ DATABASE_URL: url })).toEqual([]));

  test('PUSH_URL has to be a URL', () => {
    expect(problemsOf({ PUSH_URL: 'receiver' })).toEqual(['PUSH_URL: must be a URL, http:// or https://']);
  });
});

describe('a misspelt setting', () => {
  test.each([
    ['SPOOL_MAX_BYTE', 'SPOOL_MAX_BYTES'],
    ['RETENTION_DAY', 'RETENTION_DAYS'],
    ['HISTROY_URL', 'HISTORY_URL'],
    ['AUTO_REGISTRER', 'AUTO_REGISTER'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
  ])('%s is refused with the nearest name', (name, nearest) => {
    expect(problemsOf({ [name]: '1' })).toEqual([
      expect.stringContaining(`${name}: there is no such setting; ${nearest}?`),
    ]);
    expect(problemsOf({ [name]: '1', IGNORED_VARIABLES: `X, ${name}` })).toEqual([]);
  });

  test('a file for what is no secret is refused', () => {
    expect(problemsOf({ TLS_KEY_FILE: '/run/secrets/key' })).toEqual([
      expect.stringContaining('TLS_KEY is not a secret'),
    ]);
  });

  test.each([
    'GATEWAY_PORT',
    'API_PORT_8080_TCP',
    'REDIS_SERVICE_HOST',
    'HOSTNAME',
    'APP_URL',
    'AWS_REGIONS',
    'LOGNAME',
  ])('%s is a variable of another program', (name) => expect(problemsOf({ [name]: 'tcp://10.0.0.1:80' })).toEqual([]));
});

describe('CONFIG_FILE', () => {
  test('has the same settings, also as lists and objects; the environment takes precedence', () => {
    const secret = join(folder, 'key');
    writeFileSync(secret, 'a key from a file\n');
    const given = file(
      `port: 9000\nprotocols: [teltonika, gt06]\nAUTO_REGISTER: true\nPORT_TELTONIKA: 5027\nINTERNAL_KEY_FILE: ${secret}\nhot_days: 7\n`,
    );
    const config = loadConfig({ ...given, HOT_DAYS: '30' });
    expect(config).toMatchObject({ PORT: 9000, PROTOCOLS: ['teltonika', 'gt06'], autoRegister: true, HOT_DAYS: 30 });
    expect(config.servicePorts).toEqual({ teltonika: 5027 });
    expect(config.INTERNAL_KEY).toBe('a key from a file');
    // the secret itself in the environment replaces the file that names it
    expect(loadConfig({ ...given, INTERNAL_KEY: 'a key of the environment' }).INTERNAL_KEY).toBe(
      'a key of the environment',
    );
  });

  test('a name that is unknown is refused, with the nearest one', () => {
    expect(problemsOf(file('PORT: 1\nprot: 2\nsomething_else: 3\n'))).toEqual([
      expect.stringContaining('there is no setting PROT; PORT?'),
      expect.stringContaining('there is no setting SOMETHING_ELSE; docs/configuration.md'),
    ]);
  });

  test.each([
    ['text', /must have one setting per line/],
    ['a: [', /fleetgate\.yaml: /],
    ['port: 1\nPORT: 2\n', /PORT stands there twice/],
  ])('%j is refused', (text, problem) => expect(problemsOf(file(text)).join()).toMatch(problem));

  test('a file that is not there is refused', () => {
    expect(problemsOf({ CONFIG_FILE: '/nowhere/fleetgate.yaml' })).toEqual([expect.stringContaining('ENOENT')]);
  });

  test('effective settings say where they are from, and hide secrets', () => {
    const settings = effectiveSettings({
      ...file('hot_days: 7\nAPI_KEY: a-key-of-tests\nPORT_GT06: 5023\n'),
      PORT: '9000',
    });
    const of = (name: string) => settings.find((each) => each.name === name);
    expect(of('HOT_DAYS')).toEqual({ name: 'HOT_DAYS', value: '7', from: 'file' });
    expect(of('PORT')).toEqual({ name: 'PORT', value: '9000', from: 'environment' });
    expect(of('PORT_GT06')).toEqual({ name: 'PORT_GT06', value: '5023', from: 'file' });
    expect(of('AUTO_PORT')).toEqual({ name: 'AUTO_PORT', value: '5300', from: 'default' });
    expect(JSON.stringify(settings)).not.toContain('a-key-of-tests');
  });
});

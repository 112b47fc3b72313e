import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { banner } from '../../../src/apps/banner.ts';
import { loadConfig } from '../../../src/apps/config.ts';
import { openKeys, showFirstRunSecrets } from '../../../src/apps/keys.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetgate-first-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the first start', () => {
  test('makes no second API key where one is given', () => {
    const keys = openKeys(loadConfig({ DATA_DIR: folder, API_KEY: 'given-key' }));
    expect(keys.firstRunKeyFile).toBeUndefined();
    expect(existsSync(join(folder, 'keys', 'first-run-key.json'))).toBe(false);
    showFirstRunSecrets(keys, folder, false);
    expect(readFileSync(join(folder, 'first-run.txt'), 'utf8')).toMatch(/^admin password {2}\S+\n$/);
  });

  test('shows nothing if all secrets are given', () => {
    const keys = openKeys(loadConfig({ DATA_DIR: folder, API_KEY: 'given-key', ADMIN_PASSWORD: 'given-password-1' }));
    expect(showFirstRunSecrets(keys, folder, false)).toEqual([]);
    expect(existsSync(join(folder, 'first-run.txt'))).toBe(false);
  });

  test('keeps a key that it made before one was given', () => {
    const { firstRunKeyFile } = openKeys(loadConfig({ DATA_DIR: folder }));
    expect(openKeys(loadConfig({ DATA_DIR: folder, API_KEY: 'given-key' })).firstRunKeyFile).toBe(firstRunKeyFile);
  });
});

describe('the start-up message', () => {
  const facts = {
    listens: [{ what: 'REST API', where: 'http://127.0.0.1:8080' }],
    apiUrl: 'http://127.0.0.1:8080',
    autoPort: 5300,
    gatewayHost: '127.0.0.1',
    dataDir: '/data',
    firstRun: [],
  };

  test('in a container runs commands through the engine, and registers the device that it simulates', () => {
    const text = banner({ ...facts, autoRegister: false, command: 'docker exec 4f2a fleetgate' });
    expect(text).toContain('  docker exec 4f2a fleetgate simulate --protocol teltonika');
    expect(text).toMatch(/AUTO_REGISTER[^\n]+\n[^\n]+\/v1\/devices -d '\{"imei":"\d{15}"\}'/);
  });

  test('in a checkout runs commands through npm', () => {
    const text = banner({ ...facts, autoRegister: true, command: 'npm run --silent' });
    expect(text).toContain('  npm run --silent simulate -- --protocol teltonika');
    expect(text).not.toContain('AUTO_REGISTER');
  });
});

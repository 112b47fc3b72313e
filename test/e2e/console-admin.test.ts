import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');

describe.skipIf(program === undefined)('the administration pages of the console, in a browser', () => {
  let system: System;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    await call(system, 'POST', '/v1/vehicles', { targa: 'AD100MI' });
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  it('creates a user, gives him a vehicle, and disables him', async () => {
    const { page } = browser;
    await browser.visit('admin/users');
    const form = page.getByRole('form', { name: 'Create user' });
    await form.getByLabel('User name').fill('carla');
    await form.getByLabel('Role').selectOption('dispatcher');
    await form.getByLabel('Password').fill(PASSWORD);
    await form.getByRole('button').click();
    await page.getByText('User carla created.').waitFor();
    await browser.picture('admin-users');
    await page.getByRole('link', { name: 'carla' }).click();
    await page.getByLabel('Vehicles of the user').fill('AD100MI');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await call<{ targhe: string[] }>(system, 'GET', '/v1/users/carla')).targhe)
      .toEqual(['AD100MI']);
    await page.getByLabel('active').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await call<{ active: boolean }>(system, 'GET', '/v1/users/carla')).active)
      .toBe(false);
    await browser.visit('admin/users?role=dispatcher');
    await page.locator('tbody tr', { hasText: 'carla' }).getByText('disabled').waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(browser.complaints).toEqual([]);
  });

  it('shows a new API key once, and ends it', async () => {
    const { page } = browser;
    await browser.visit('admin/keys');
    const form = page.getByRole('form', { name: 'Create key' });
    await form.getByLabel('Name').fill('Dispatch system');
    // an API key without a scope is refused at its field, before a request
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByRole('group', { name: 'Permissions' }).getByText('Required.').waitFor();
    await form.getByRole('checkbox', { name: 'vehicles:read' }).check();
    await form.getByRole('button', { name: 'Create key' }).click();
    const key = (await form.getByRole('status').locator('code').textContent())!;
    expect(key.length).toBeGreaterThan(20);
    const asBearer = () => fetch(browser.url('/v1/vehicles'), { headers: { authorization: `Bearer ${key}` } });
    expect((await asBearer()).status).toBe(200);
    await page.getByRole('button', { name: 'End: Dispatch system' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.locator('tbody tr', { hasText: 'Dispatch system' }).getByText('ended').waitFor();
    expect((await asBearer()).status).toBe(401);
  });

  it('describes the tank of a vehicle by options of its device, and leaves the other options', async () => {
    const { page } = browser;
    const path = '/v1/devices/356307042441013';
    await call(system, 'POST', '/v1/devices', { imei: '356307042441013', options: { protocol: 'teltonika' } });
    await browser.visit('devices/356307042441013');
    const form = page.getByRole('form', { name: 'Tank of the vehicle' });
    await form.getByLabel('Size of the tank (l)').fill('300');
    await form.getByLabel('Attribute of the gauge').fill('adc1');
    const calibration = form.getByLabel('Calibration (reading:liters, …)');
    await calibration.fill('empty');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.locator('input[name=fuelCalibration]:invalid').count()).toBe(1);
    await calibration.fill('0:0, 500:120, 1000:300');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved.').waitFor();
    const { options } = await call<{ options: object }>(system, 'GET', path);
    expect(options).toEqual({
      protocol: 'teltonika',
      fuelTankLitres: 300,
      fuelSource: 'adc1',
      fuelCalibration: '0:0,500:120,1000:300',
    });
    await browser.picture('device-tank');
    // the form is that of the stored options again
    await expect.poll(() => calibration.inputValue()).toBe('0:0,500:120,1000:300');
    await form.getByLabel('Size of the tank (l)').fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    const size = async () =>
      (await call<{ options: { fuelTankLitres?: number } }>(system, 'GET', path)).options.fuelTankLitres;
    await expect.poll(size).toBeUndefined();
    expect(browser.complaints).toEqual([]);
  });

  it('shows how users log in', async () => {
    await browser.visit('admin/settings');
    const login = browser.page.getByRole('region', { name: 'Login' });
    await login.getByText('not set up').waitFor();
    await login.getByText('allowed', { exact: true }).waitFor();
  });

  it('creates a tenant with its administrator, and disables it', async () => {
    const { page } = browser;
    await browser.visit('admin/tenants');
    const form = page.getByRole('form', { name: 'Create tenant' });
    await form.getByLabel('Tenant').fill('rossi');
    await form.getByLabel('Title').fill('Rossi Trasporti');
    await form.getByRole('button').click();
    await page.getByText('Tenant rossi created.').waitFor();
    await page.getByRole('button', { name: 'Disable: rossi' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.locator('tbody tr', { hasText: 'rossi' }).getByText('disabled').waitFor();
  });

  it('enables a tenant again, and takes it from a partner', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Enable: rossi' }).click();
    await page.getByRole('button', { name: 'Disable: rossi' }).waitFor();
    const partners = async () =>
      (await call<{ partners: string[] }>(system, 'GET', '/v1/tenants/rossi')).partners.join();
    // a new tenant has the partners of the installation
    expect(await partners()).toBe('qora');
    await page.getByRole('checkbox', { name: 'qora: rossi' }).click();
    await expect.poll(partners).toBe('');
    await page.locator('input[type=checkbox][aria-label="qora: rossi"]:not(:checked)').waitFor();
    await page.getByRole('checkbox', { name: 'qora: rossi' }).click();
    await expect.poll(partners).toBe('qora');
    expect(browser.complaints).toEqual([]);
  });

  it('says that a user has no one-time passwords to end, and removes the user', async () => {
    const { page } = browser;
    const { id } = await call<{ id: string }>(system, 'POST', '/v1/users', { username: 'dario', role: 'viewer' });
    await browser.visit(`admin/users/${id}`);
    await page.getByRole('button', { name: 'End one-time passwords' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
    // the refusal
    browser.complaints.splice(0);
    await page.getByRole('button', { name: 'Remove user' }).click();
    await page.getByRole('dialog').getByText('Remove dario?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(browser.url('/console/admin/users'));
    await page.getByRole('link', { name: 'carla' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'dario' }).count()).toBe(0);
    expect(browser.complaints).toEqual([]);
  });

  it('stores which commands are privileged', async () => {
    const { page } = browser;
    await browser.visit('admin/settings');
    await page.getByLabel('Privileged commands').fill('setparam*');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(
        async () =>
          (await call<{ dangerousCommands: string[] }>(system, 'GET', '/v1/gprsCommands/settings')).dangerousCommands,
      )
      .toEqual(['setparam*']);
  });

  it('shows who did what, with the values before and after', async () => {
    const { page } = browser;
    await browser.visit('admin/audit');
    const row = page.locator('tbody tr', { hasText: 'PUT /v1/gprsCommands/settings' }).first();
    await row.getByText('Show').click();
    await expect.poll(() => row.locator('pre').textContent()).toContain('setparam*');
    expect(browser.complaints.filter((each) => !each.includes('401'))).toEqual([]);
  });

  it('has no serious accessibility finding, in light and dark', () =>
    browser.review({
      'admin-users': 'admin/users',
      'admin-user': 'admin/users/carla',
      'admin-keys': 'admin/keys',
      'admin-settings': 'admin/settings',
      'admin-tenants': 'admin/tenants',
      'admin-audit': 'admin/audit',
      'device-tank': 'devices/356307042441013',
    }));
});

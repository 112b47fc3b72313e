import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');

describe.skipIf(program === undefined)('the console for users of a second tenant, in a browser', () => {
  let system: System;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    await call(system, 'POST', '/v1/vehicles', { targa: 'FIRST1' });
    const admin = { username: 'admin', password: PASSWORD, email: 'boss@second.example' };
    await call(system, 'POST', '/v1/tenants', { name: 'second', admin });
    const { accessToken } = await call<{ accessToken: string }>(system, 'POST', '/v1/auth/credentials', {
      tenant: 'second',
      username: 'admin',
      password: PASSWORD,
    });
    await call({ ...system, key: accessToken } as System, 'POST', '/v1/vehicles', { targa: 'SECOND2' });
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  const seesOnly = async (own: string, other: string): Promise<void> => {
    await browser.page.waitForURL(browser.url('/console/map'));
    await browser.settled();
    await browser.page.getByText(own).first().waitFor();
    await expect.poll(() => browser.page.getByText(other).count()).toBe(0);
  };

  it('logs in with the tenant that the form asks for after a refusal, and shows its own vehicles only', async () => {
    const { page } = browser;
    await seesOnly('FIRST1', 'SECOND2');
    await browser.logOut();
    const field = page.getByLabel('Name of the organization');
    await expect.poll(() => field.isVisible()).toBe(false);
    await page.fill('#user', 'admin');
    await page.fill('#password', 'the password of somebody else');
    await page.click('button[type=submit]');
    await page.waitForURL(/failed=wrong/);
    await field.fill('second');
    await page.fill('#user', 'admin');
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await seesOnly('SECOND2', 'FIRST1');
  });

  it('takes the tenant of the address', async () => {
    const { page } = browser;
    await browser.logOut();
    await page.goto(browser.url('/login?tenant=second'));
    await expect.poll(() => page.getByLabel('Name of the organization').inputValue()).toBe('second');
    expect(await browser.seriousFindings()).toEqual([]);
    await page.fill('#user', 'admin');
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await seesOnly('SECOND2', 'FIRST1');
  });

  it('needs no tenant for an e-mail address that exists once', async () => {
    const { page } = browser;
    await browser.logOut();
    await page.fill('#user', 'boss@second.example');
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await seesOnly('SECOND2', 'FIRST1');
  });
});

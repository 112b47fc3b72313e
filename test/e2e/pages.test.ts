import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');
const PASSWORD = 'a password of some length';
const IMEI = '356307042441013';

describe.skipIf(program === undefined)('pages, in a browser', () => {
  let system: System;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const url = (path: string) => `http://127.0.0.1:${system.apiPort}${path}`;

  const post = async (path: string, body: object): Promise<{ commandId: string }> => {
    const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
    const response = await fetch(url(path), { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as { commandId: string };
  };

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    browser = await launchChromium(program!);
    page = await browser.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  it('the console requires a login', async () => {
    await page.goto(url('/console/overview'));
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
    await page.fill('#password', 'not the password');
    await page.click('button[type=submit]');
    await page.waitForURL(/failed=wrong/);
    await expect.poll(() => page.textContent('#failed')).toContain('do not match');
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(url('/console/overview'));
  });

  it('the console shows devices and open commands with their reasons, and refreshes by itself', async () => {
    await page.waitForSelector('text=No command is open.');
    await post('/v1/devices', { imei: IMEI });
    const text = '<img src=x onerror=document.title="broken">';
    await post('/v1/gprsCommands/', { imei: IMEI, gprsCommand: text });
    const row = page.locator('#commands tr', { hasText: IMEI });
    await row.waitFor();
    await expect.poll(() => row.textContent()).toContain(text);
    await expect.poll(() => row.textContent()).toContain('the device is offline');
    await expect.poll(() => page.locator('#devices tr', { hasText: IMEI }).textContent()).toContain('offline');
    await expect.poll(() => page.locator('#gateways').textContent()).toContain('held here');
    await expect.poll(() => page.locator('#counts').textContent()).toContain('of 1 devices online');
    await expect.poll(() => page.title()).toBe('Console · Fleetgate');
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  it('reports that the data are not current if the API does not answer', async () => {
    await page.route('**/console/data', (route) => route.abort());
    await page.waitForSelector('.state.stale');
    await page.unroute('**/console/data');
    await page.waitForSelector('.state:not(.stale)');
  });

  it('bull-board lists the job of a command', async () => {
    const { commandId } = await post('/v1/gprsCommands/', { imei: IMEI, gprsCommand: 'getinfo' });
    await page.click('text=Command queue');
    await page.goto(url('/admin/queues/queue/gprs-commands?status=delayed'));
    await page.waitForSelector(`text=${commandId}`);
    await expect.poll(() => page.textContent('body')).toContain('getinfo');
  });

  it('the metrics of commands and gateway streams are those that the pages show', async () => {
    const there = await (await fetch(url('/metrics'), { headers: { authorization: `Bearer ${system.key}` } })).text();
    expect(there).toMatch(/^fleetgate_commands\{state="pending"\} 2$/m);
    expect(there).toMatch(/^fleetgate_downlink_streams 1$/m);
  });

  it('the pages are in Italian in an Italian browser, and times have their zone', async () => {
    const italian = await browser.newPage({ locale: 'it-IT', timezoneId: 'Europe/Rome' });
    await italian.goto(url('/console/overview'));
    await italian.getByRole('button', { name: 'Accedi' }).waitFor();
    await italian.fill('#password', 'not the password');
    await italian.getByRole('button', { name: 'Accedi' }).click();
    await italian.getByText('Utente e password non corrispondono.').waitFor();
    await italian.fill('#password', PASSWORD);
    await italian.getByRole('button', { name: 'Accedi' }).click();
    await italian.getByRole('heading', { name: 'Comandi aperti' }).waitFor();
    await italian
      .locator('#commands tr', { hasText: IMEI })
      .first()
      .getByText('il dispositivo non è in linea')
      .waitFor();
    await expect.poll(() => italian.locator('#counts').textContent()).toContain('di 1 dispositivi in linea');
    await expect.poll(() => italian.locator('#state').textContent()).toMatch(/^aggiornato alle \d\d:\d\d:\d\d CES?T$/);
    await italian.close();
  });

  it('the pages require a login again after logging out', async () => {
    await page.goto(url('/console/overview'));
    await page.click('text=Log out');
    await page.waitForURL(/\/login/);
    await page.goto(url('/console/overview'));
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
  });
});

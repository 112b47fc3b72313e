import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PASSWORD = 'a password of some length';
const HOUR_MS = 3_600_000;

describe.skipIf(program === undefined)('the page of a share link, in a browser', () => {
  let system: System;
  let browser: Browser;
  const complaints: string[] = [];
  const url = (path: string): string => `http://127.0.0.1:${system.apiPort}${path}`;
  const send = async (method: string, path: string, body?: object) => {
    const authorization = `Bearer ${system.key}`;
    const response = await fetch(
      url(path),
      body === undefined
        ? { method, headers: { authorization } }
        : { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as { id: string; path: string };
  };
  const share = (over: object) =>
    send('POST', '/v1/share-links', { targa: 'SH100AA', until: Date.now() + HOUR_MS, ...over });

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    const start = Date.now() - HOUR_MS;
    await send('POST', '/v1/vehicles', { targa: 'SH100AA' });
    await send('POST', '/v1/devices', { imei: 'share-100' });
    await send('POST', '/v1/pairings', { targa: 'SH100AA', imei: 'share-100', from: start - HOUR_MS });
    const positions = Array.from({ length: 40 }, (_, n) => {
      const fixTime = new Date(start + n * 60_000).toISOString();
      return { imei: 'share-100', fixTime, valid: true, latitude: 45.4 + n / 100, longitude: 9.1, attributes: {} };
    });
    await send('POST', '/v1/positions', { positions });
    browser = await launchChromium(program!);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  const open = async (path: string, locale: string, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 }, locale, colorScheme });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== url('') && !/^(?:data|blob):/.test(request.url())) complaints.push(`request to ${request.url()}`);
    });
    await page.goto(url(path));
    return page;
  };
  const seriousFindings = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe);
    const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
    const { violations } = found as { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };
  const picture = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['CONSOLE_PICTURES'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  it('shows the vehicle without a login, in the language of the browser, until it is revoked', async () => {
    const link = await share({ label: 'Consegna 4711', precisionM: 1_000 });
    const page = await open(link.path, 'it-IT', 'light');
    await page.getByRole('heading', { name: 'Consegna 4711' }).waitFor();
    await page.waitForSelector('.map[data-ready=true]');
    const text = () => page.locator('main').innerText();
    await expect.poll(text).toMatch(/Ultima posizione\s+\d\d\/\d\d\/\d{4}.+\d\d:\d\d:\d\d (UTC|GMT|CE)/);
    await expect.poll(text).toContain('circa 1 km');
    await expect.poll(text).toContain('GeoNames');
    await expect.poll(text).not.toContain('SH100AA');
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'share');
    await send('DELETE', `/v1/share-links/${link.id}`);
    // the answer is expected, and the browser reports it
    const known = complaints.length;
    await page.reload();
    await page.getByText('Questo link è scaduto').waitFor();
    expect(complaints.splice(known).filter((line) => !line.includes('404'))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('is made and revoked in the console, in the %s theme', async (scheme) => {
    const page = await open('/console/share?targa=SH100AA', 'en-GB', scheme);
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(url('/console/**'));
    await page.goto(url('/console/share?targa=SH100AA'));
    const form = page.getByRole('form', { name: 'New link' });
    await expect.poll(() => form.getByLabel('Vehicle (plate)').inputValue()).toBe('SH100AA');
    const label = `made in the ${scheme} theme`;
    await form.getByLabel('Name to show').fill(label);
    await form.getByLabel('Precision').selectOption('100');
    // by keyboard
    await form.getByRole('button', { name: 'Create link' }).press('Enter');
    const made = form.getByRole('status').getByRole('link');
    await expect.poll(() => made.getAttribute('href')).toMatch(/\/share#[\w-]{32}$/);
    const row = page.locator('tbody tr', { hasText: label });
    await expect.poll(() => row.innerText()).toContain('About 0.1 km');
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, `share-links-${scheme}`);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    await page.getByLabel('Language', { exact: true }).selectOption('it');
    await row.getByText('Revocato', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows a trip, in a dark theme', async () => {
    const link = await share({ from: Date.now() - HOUR_MS, to: Date.now() });
    const page = await open(link.path, 'en-GB', 'dark');
    await page.getByRole('heading', { name: 'SH100AA' }).waitFor();
    await page.waitForSelector('.map[data-ready=true]');
    await expect.poll(() => page.locator('main').innerText()).toMatch(/From\s+\d\d/);
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'share-trip');
    expect(complaints).toEqual([]);
    await page.close();
  });
});

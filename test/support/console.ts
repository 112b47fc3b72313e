import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import type { System } from './system.ts';

export const PASSWORD = 'a password of some length';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The console of a system in a browser, logged in as its administrator. */
export class ConsoleBrowser {
  /** errors of the page and requests to other origins: there are none */
  readonly complaints: string[] = [];
  readonly page: Page;
  readonly #browser: Browser;
  readonly #system: System;

  private constructor(browser: Browser, page: Page, system: System, origins: readonly string[]) {
    this.#browser = browser;
    this.page = page;
    this.#system = system;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // other tests make and remove networks of containers
      if (message.type() === 'error' && !message.text().includes('net::ERR_NETWORK_CHANGED'))
        this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== this.url('') && !origins.includes(origin) && !/^(?:data|blob):/.test(request.url()))
        this.complaints.push(`request to ${request.url()}`);
    });
  }

  /** The system has to be started with this ADMIN_PASSWORD. `origins`: other servers that the page may ask. */
  static async open(program: string, system: System, origins: readonly string[] = []): Promise<ConsoleBrowser> {
    const browser = await launchChromium(program);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    page.setDefaultTimeout(90_000);
    const opened = new ConsoleBrowser(browser, page, system, origins);
    await page.goto(opened.url('/console'));
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(opened.url('/console/map'));
    return opened;
  }

  /** Waits until the page has a heading, and what it shows has been read. */
  async settled(): Promise<void> {
    await this.page.locator('main h1').first().waitFor();
    await this.page.locator('main[data-busy=false]').waitFor();
  }

  async logOut(): Promise<void> {
    await this.page.context().clearCookies();
    await this.page.goto(this.url('/login'));
  }

  /** As another user with the password of the administrator. */
  async logIn(user: string): Promise<void> {
    await this.logOut();
    await this.page.fill('#user', user);
    await this.page.fill('#password', PASSWORD);
    await this.page.click('button[type=submit]');
    await this.page.waitForURL(this.url('/console/map'));
    this.complaints.splice(0);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.#system.apiPort}${path}`;
  }

  async visit(path: string): Promise<void> {
    await this.page.goto(this.url(`/console/${path}`));
  }

  setting(label: string, value: string): Promise<string[]> {
    return this.page.getByRole('banner').getByLabel(label, { exact: true }).selectOption(value);
  }

  /** CONSOLE_PICTURES names a folder: `npm run screenshots`. */
  async picture(name: string): Promise<void> {
    const folder = process.env['CONSOLE_PICTURES'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    for (const map of await this.page.locator('.map').all())
      await map.and(this.page.locator('[data-ready=true]')).waitFor();
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: name.startsWith('page-') });
  }

  /** Findings of axe whose impact is serious or critical. */
  async seriousFindings(): Promise<string[]> {
    await this.page.evaluate(axe);
    const found = await this.page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
    const { violations } = found as { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }

  /** Visits pages in both themes and in Italian: no serious finding, no error. */
  async review(pages: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, path] of Object.entries(pages)) {
      await this.visit(path);
      for (const theme of ['light', 'dark']) {
        await this.setting('Theme', theme);
        await this.page.locator('main h1').waitFor();
        await this.page.locator('main[data-busy=false]').waitFor();
        expect(await this.seriousFindings(), `${path}, ${theme}`).toEqual([]);
        await this.picture(`${name}-${theme}`);
      }
      await this.setting('Language', 'it');
      await this.page.locator('main[data-busy=false] h1').waitFor();
      await this.picture(`${name}-it`);
      await this.setting('Lingua', 'en');
    }
    expect(this.complaints).toEqual([]);
  }
}

/** Calls the API with the key of the system. Fails unless the answer is one of success. */
export async function call<T>(system: System, method: string, path: string, body?: object): Promise<T> {
  const authorization = `Bearer ${system.key}`;
  const response = await fetch(
    `http://127.0.0.1:${system.apiPort}${path}`,
    body === undefined
      ? { method, headers: { authorization } }
      : { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return (await response.json()) as T;
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { type Behaviour, Receiver } from '../support/delivery/receiver.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';
import { Trackers } from '../support/trackers.ts';

const program = needs('chromium');
const PASSWORD = 'a password of some length';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Records {
  readonly items: readonly { readonly gateway: string; readonly id: string; readonly code: string }[];
}

const answer =
  (code: string | undefined): Behaviour =>
  ({ body }, response) => {
    const { positions } = JSON.parse(body) as { positions: object[] };
    const rejected = code === undefined ? [] : positions.map((_, index) => ({ index, code, detail: 'not wanted' }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ rejected }));
    return true;
  };

describe.skipIf(program === undefined)('set-aside records in the console, in a browser', () => {
  let system: System;
  let trackers: Trackers;
  let receiver: Receiver;
  let browser: Browser;
  let page: Page;
  let gateway: string;
  /** ids of three records, oldest first */
  let ids: readonly string[];
  const complaints: string[] = [];
  const url = (path: string) => `http://127.0.0.1:${system.apiPort}${path}`;
  const records = async () => (await system.get<Records>('/v1/set-aside-records?limit=500')).items;
  const row = (id: string) =>
    page.locator('tbody tr', { has: page.getByRole('button', { name: `Delete ${id}`, exact: true }) });

  beforeAll(async () => {
    receiver = await Receiver.start();
    receiver.always = answer('odd');
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD, PUSH_URL: receiver.url });
    trackers = await Trackers.start(system, 1, 760, ['teltonika'], Date.now() - 3_600_000);
    await vi.waitFor(async () => expect((await records()).length).toBeGreaterThan(3), {
      timeout: 60_000,
      interval: 300,
    });
    await trackers.stop();
    const found = await records();
    gateway = found[0]!.gateway;
    ids = found.slice(0, 3).map(({ id }) => id);
    browser = await launchChromium(program!);
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url('/console'));
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(url('/console/map'));
  });
  afterAll(async () => {
    await browser?.close();
    await trackers?.stop();
    await system?.stop();
    await receiver?.close();
  });

  it('are counted by gateway, listed with device and reason, and inspected', async () => {
    await page.goto(url('/console/operations'));
    const gateways = page.getByRole('region', { name: 'Gateways' });
    await gateways.getByText('Connected', { exact: true }).waitFor();
    await gateways.getByRole('link').first().click();
    await page.waitForURL(url(`/console/operations/set-aside?gateway=${gateway}`));
    await row(ids[0]!).getByText('not wanted').waitFor();
    await page.getByRole('button', { name: `Inspect ${ids[0]}`, exact: true }).click();
    await page.getByText('"latitude"').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('record')).toBe(`${gateway}/${ids[0]}`);
    expect(complaints).toEqual([]);
  });

  it('stay with the new reason if they are rejected again, and go when they are accepted', async () => {
    receiver.always = answer('still-odd');
    await page.getByRole('button', { name: `Send again ${ids[0]}`, exact: true }).click();
    await page.getByText(`Record ${ids[0]} was rejected again: still-odd not wanted`).waitFor();
    await row(ids[0]!).getByText('still-odd').waitFor();
    receiver.always = answer(undefined);
    await page.getByRole('button', { name: `Send again ${ids[0]}`, exact: true }).click();
    await page.getByText(`Record ${ids[0]} was accepted.`).waitFor();
    await row(ids[0]!).waitFor({ state: 'detached' });
  });

  it('are deleted with the keyboard, after a confirmation', async () => {
    const remove = page.getByRole('button', { name: `Delete ${ids[1]}`, exact: true });
    await remove.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(`Delete record ${ids[1]} of ${gateway} for good?`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await records()).map(({ id }) => id)).toContain(ids[1]);
    await remove.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`Record ${ids[1]} was deleted.`).waitFor();
    await row(ids[1]!).waitFor({ state: 'detached' });
    expect((await records()).map(({ id }) => id)).not.toContain(ids[1]);
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'])('have no serious accessibility finding in the %s theme, nor on a phone', async (theme) => {
    await page.getByLabel('Theme', { exact: true }).selectOption(theme);
    await page.evaluate(axe);
    const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
    const { violations } = found as { violations: { id: string; impact: string }[] };
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('are shown in Italian', async () => {
    await page.getByLabel('Language', { exact: true }).selectOption('it');
    await page.getByRole('heading', { name: 'Record accantonati' }).first().waitFor();
    await page.getByRole('button', { name: `Elimina ${ids[2]}`, exact: true }).waitFor();
    await page.getByLabel('Lingua', { exact: true }).selectOption('en');
  });

  it('survive a kill -9 of the gateway while they are sent again', async () => {
    let hung = (): void => {};
    const isHung = new Promise<void>((resolve) => {
      hung = resolve;
    });
    receiver.always = () => {
      hung();
      return true;
    };
    await page.getByRole('button', { name: `Send again ${ids[2]}`, exact: true }).click();
    await isHung;
    system.kill('gateway');
    receiver.always = answer('odd-after-all');
    await vi.waitFor(
      async () =>
        expect(await records()).toContainEqual(expect.objectContaining({ id: ids[2], code: 'odd-after-all' })),
      {
        timeout: 120_000,
        interval: 500,
      },
    );
    receiver.always = answer(undefined);
    await page.reload();
    await page.getByRole('button', { name: `Send again ${ids[2]}`, exact: true }).click();
    await page.getByText(`Record ${ids[2]} was accepted.`).waitFor();
    expect((await records()).map(({ id }) => id)).not.toContain(ids[2]);
  });
});

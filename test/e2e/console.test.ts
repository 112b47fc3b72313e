import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';
import { Trackers } from '../support/trackers.ts';

const program = needs('chromium');
const PASSWORD = 'a password of some length';
const FIRST_DEVICE = 710;
const OFFLINE = '356307042441013';
/** The simulated journeys begin yesterday at 10 UTC: on the same day in most zones. */
const START = Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000 + 36_000_000;
const DAY = new Date(START).toISOString().slice(0, 10);
const PAIRED_FROM = new Date(START - 86_400_000).toISOString();
const OTHER_PAGES = ['alarms?state=all', 'rules', 'rules/new', 'operations', 'devices/setup?protocol=gt06'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(program === undefined)('the console, in a browser', () => {
  let system: System;
  let trackers: Trackers;
  let browser: Browser;
  let page: Page;
  let plates: string[] = [];
  const complaints: string[] = [];
  const url = (path: string) => `http://127.0.0.1:${system.apiPort}${path}`;

  const post = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
    const response = await fetch(url(path), { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status, await response.clone().text()).toBeLessThan(300);
  };

  /** CONSOLE_PICTURES names a folder: `npm run screenshots`. */
  const picture = async (name: string): Promise<void> => {
    const folder = process.env['CONSOLE_PICTURES'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  const seriousFindings = async (): Promise<string[]> => {
    await page.evaluate(axe);
    const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
    const { violations } = found as { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };

  /** What the scale of the map says. */
  const scaleMeters = async (): Promise<number> => {
    const text = (await page.locator('.maplibregl-ctrl-scale').textContent()) ?? '';
    return Number.parseInt(text, 10) * (text.endsWith('km') ? 1_000 : 1);
  };

  /** The map, once it shows where the vehicles are. */
  const openMap = async (): Promise<void> => {
    await page.goto(url('/console/map'));
    await page.waitForSelector('.map[data-ready=true]');
    await expect.poll(scaleMeters).toBeLessThan(20_000);
  };

  const setting = (label: string, value: string) => page.getByLabel(label, { exact: true }).selectOption(value);

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD, WEBHOOK_PRIVATE: 'true' });
    trackers = await Trackers.start(system, 2, FIRST_DEVICE, ['teltonika'], START);
    await post('/v1/devices', { imei: OFFLINE, options: { protocol: 'teltonika' } });
    const imeis = trackers.all.map(({ device }) => device.id);
    for (const imei of imeis)
      await vi.waitFor(() => system.get(`/v1/vehicles/${imei}/position`), { timeout: 60_000, interval: 200 });
    plates = imeis.map((_, n) => `AB12${n}CD`);
    for (const [n, imei] of imeis.entries()) {
      await post('/v1/vehicles', { targa: plates[n] });
      await post('/v1/pairings', { targa: plates[n], imei, from: PAIRED_FROM });
    }
    browser = await launchChromium(program!);
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (origin !== url('') && !/^(?:data|blob):/.test(request.url())) complaints.push(`request to ${request.url()}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    await trackers?.stop();
    await system?.stop();
  });

  it('opens with the map and the list of vehicles after the login', async () => {
    await page.goto(url('/console'));
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(url('/console/map'));
    for (const targa of plates) await page.getByRole('button', { name: targa }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.waitForSelector('.map[data-ready=true]');
    await expect.poll(() => page.getByText('2 of 2 vehicles').count()).toBe(1);
    await picture('map');
    expect(complaints).toEqual([]);
  });

  it('has the search and the selection in its URL, and shows new positions of the vehicle as they arrive', async () => {
    await page.getByLabel('Search plate, IMEI, driver').fill(plates[1]!);
    await page.getByText('1 of 2 vehicles').waitFor();
    await page.getByRole('button', { name: plates[1]! }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?q=${plates[1]}&vehicle=${plates[1]}`);
    const at = page.locator('.details dd').first();
    await expect.poll(() => at.textContent()).toMatch(/UTC|GMT|CE/);
    const before = await at.textContent();
    await expect.poll(() => at.textContent(), { timeout: 60_000 }).not.toBe(before);
    await picture('map-vehicle');
    await page.reload();
    await page.getByRole('complementary', { name: plates[1]! }).waitFor();
    await expect.poll(() => page.getByText('1 of 2 vehicles').count()).toBe(1);
  });

  it('zooms by each click on a button, also while the map still moves', async () => {
    await openMap();
    const before = await scaleMeters();
    await page.evaluate('for (let n = 0; n < 6; n++) document.querySelector(".maplibregl-ctrl-zoom-out").click()');
    // 64 times, on a scale of round numbers
    await expect.poll(scaleMeters).toBeGreaterThan(30 * before);
  });

  it('shows state, path and chart of a vehicle on a day, and downloads it', async () => {
    await page.goto(url(`/console/vehicles/${plates[0]}?day=${DAY}`));
    await page.getByRole('rowheader', { name: 'Position' }).waitFor();
    await page.locator('.chart canvas').waitFor();
    await page.waitForSelector('.map[data-ready=true]');
    const output = page.locator('output');
    await expect.poll(() => output.textContent()).toContain('km/h');
    const before = await output.textContent();
    await page.getByLabel('Replay speed').selectOption('60');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => output.textContent()).not.toBe(before);
    await picture('vehicle');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'GPX' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^AB120CD-.*\.gpx$/);
    expect(readFileSync(await file.path(), 'utf8')).toContain('<trkpt');
    expect(complaints).toEqual([]);
  });

  it('shows the frames of a device beside what they mean', async () => {
    const imei = trackers.all[0]!.device.id;
    await page.goto(url('/console/devices?state=online'));
    await page.getByRole('link', { name: imei }).click();
    await expect.poll(() => page.getByLabel('Since').inputValue()).toBe('15');
    const frame = page.locator('.frames tbody tr', { hasText: 'latitude' }).first();
    await frame.waitFor();
    // a packet of Codec 8: preamble and length before the records
    await expect.poll(() => frame.locator('code').textContent()).toMatch(/^00000000[0-9a-f]{8}8e?/);
    await picture('device');
    expect(complaints).toEqual([]);
  });

  const send = async (imei: string, text: string): Promise<void> => {
    await page.goto(url('/console/commands'));
    const form = page.getByRole('form', { name: 'Send command' });
    await form.getByLabel('Device (IMEI)').fill(imei);
    await form.getByLabel('Command text').fill(text);
    await form.getByRole('button', { name: 'Send command' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.textContent()).toContain(`Send “${text}” to ${imei}?`);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Queued as cmd_').waitFor();
  };

  it('sends a command after a confirmation, shows why it waits, and cancels it', async () => {
    await send(OFFLINE, '<b>getver</b>');
    const row = page.locator('tbody tr', { hasText: OFFLINE });
    await row.getByText('the device is offline').waitFor();
    await picture('commands');
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Cancel command' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.locator('h1').getByText('Cancelled').waitFor();
    await picture('command');
  });

  it('shows the answer of a device without being asked for it again', async () => {
    const imei = trackers.all[0]!.device.id;
    await send(imei, 'getinfo');
    await page.locator('tbody tr', { hasText: imei }).getByText('Acknowledged').waitFor();
    expect(complaints).toEqual([]);
  });

  it('creates a rule with an area drawn on the map, tries it on stored data, and receives its alarms', async () => {
    await page.goto(url('/console/rules'));
    await page.getByText('There is no rule.').waitFor();
    await page.getByRole('link', { name: 'New rule' }).click();
    await page.locator('select[name=type]').selectOption('fuel_drain');
    await page.getByText(/fuelSource.*fuelCalibration.*fuelTankLitres/).waitFor();
    await page.locator('select[name=type]').selectOption('geofence_enter');
    await page.getByLabel('Vehicles (plates, one in each line)').fill(plates.join('\n'));
    await page.getByRole('button', { name: 'Draw polygon' }).click();
    await page.waitForSelector('.draw-map[data-ready=true]');
    const map = (await page.locator('.draw-map').boundingBox())!;
    for (const [x, y] of [
      [0.3, 0.3],
      [0.7, 0.3],
      [0.5, 0.7],
    ] as const) {
      await page.mouse.click(map.x + x * map.width, map.y + y * map.height);
      // a second click at once zooms the map
      await page.getByRole('button', { name: `Remove corner ${{ 0.3: 1, 0.7: 2, 0.5: 3 }[x]}` }).waitFor();
    }
    await page.getByLabel('Name of the geofence').fill('Triangle');
    await page.getByRole('button', { name: 'Save as geofence' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Triangle' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'Monday' }).check();
    await page.getByLabel('Monday: From').fill('07:30');
    await picture('rule-area');
    // on to what happens now
    await page.locator('select[name=type]').selectOption('unauthorized_use');
    await page.getByRole('checkbox', { name: 'Monday' }).uncheck();
    await page.getByLabel('Description').fill('At night');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/^[1-9][\d,]* messages?, [1-9][\d,]* positions? evaluated\.$/).waitFor();
    await page.waitForSelector('section .draw-map[data-ready=true]');
    await picture('rule-backtest');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/console\/rules\/nrl_/);
    await page.goto(url('/console/alarms'));
    const row = page.locator('tbody tr', { hasText: 'Use outside of the authorised hours' }).first();
    await row.waitFor({ timeout: 60_000 });
    await picture('alarms');
    await row.getByRole('button', { name: /^Acknowledge/ }).click();
    await page.getByLabel('State').selectOption('all');
    await expect.poll(() => new URL(page.url()).search).toBe('?state=all');
    await page.locator('tbody tr', { hasText: 'Acknowledged' }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows streams and health', async () => {
    await post('/v1/streams', { name: 'nowhere', type: 'http', url: 'http://127.0.0.1:9/', kinds: ['notification'] });
    await page.goto(url('/console/operations'));
    const row = page.locator('tbody tr', { hasText: 'nowhere' });
    await row.getByRole('button', { name: 'Pause' }).click();
    await row.getByRole('button', { name: 'Resume' }).waitFor();
    await row.getByRole('button', { name: 'Rejected messages' }).click();
    await page.getByText('No message was rejected.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toMatch(/^\?stream=/);
    const summary = page.getByRole('region', { name: 'Summary' });
    await expect.poll(() => summary.locator('dd').first().textContent()).toBe('2');
    // a rate is known after the second reading
    await summary.getByText(/^\d[\d.,]*\/s$/).waitFor();
    await picture('operations');
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'])('has no serious accessibility finding in the %s theme', async (theme) => {
    for (const path of ['map', `vehicles/${plates[0]}?day=${DAY}`, 'commands', 'devices', `devices/${OFFLINE}`]) {
      await page.goto(url(`/console/${path}`));
      await setting('Theme', theme);
      await page.locator('tbody tr, .row, dl, form.card, main h1').first().waitFor();
      expect(await seriousFindings(), path).toEqual([]);
    }
    await openMap();
    // far enough to see coasts and borders
    for (let n = 0; n < 6; n++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(scaleMeters).toBeGreaterThan(20_000);
    await picture(`map-${theme}`);
  });

  it.each(['light', 'dark'])(
    'has no serious finding on the pages of alarms, rules and operations in the %s theme',
    async (theme) => {
      for (const path of OTHER_PAGES) {
        await page.goto(url(`/console/${path}`));
        await setting('Theme', theme);
        await page.locator('main h1').waitFor();
        expect(await seriousFindings(), path).toEqual([]);
      }
    },
  );

  it('speaks Italian, and prints the time zone that is chosen', async () => {
    await page.goto(url(`/console/map?vehicle=${plates[0]}`));
    await setting('Language', 'it');
    await page.getByText('Ultima posizione').waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('it');
    await setting('Fuso orario', 'UTC');
    await expect.poll(() => page.locator('.details dd').first().textContent()).toContain('UTC');
    await setting('Lingua', 'en');
  });

  it('fits on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['map', 'commands', 'alarms?state=all']) {
      await page.goto(url(`/console/${path}`));
      await page.locator('tbody tr, .row, main h1').first().waitFor();
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: path })
        .toBeLessThanOrEqual(390);
      await picture(`phone-${path.split('?')[0]}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('reports that live data are interrupted, and connects again', async () => {
    await page.goto(url('/console/map'));
    await page.getByText('Live', { exact: true }).waitFor();
    system.kill('api');
    await page.getByText(/Live data interrupted\. Data as of .+ Reconnecting/).waitFor();
    // until the API has started again
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 180_000 });
    await page.getByRole('button', { name: plates[0]! }).waitFor();
  }, 240_000);
});

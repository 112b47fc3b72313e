import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { positionOf } from '../support/positions.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');
const IMEI = simulatedImei(860);
const FUELED = '356307042441021';
const PLATE = 'FU100EL';
/** yesterday at 8 UTC */
const START = Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000 + 28_800_000;
const DAY = new Date(START).toISOString().slice(0, 10);
/** one pixel */
const TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(program === undefined)('the console and new devices, in a browser', { timeout: 180_000 }, () => {
  let system: System;
  let device: SimulatedDevice;
  let browser: ConsoleBrowser;
  let tiles: Server;
  const tilesAsked: string[] = [];

  beforeAll(async () => {
    tiles = createServer((request, response) => {
      tilesAsked.push(request.url!);
      response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(TILE);
    });
    await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
    system = await startSystem({
      ADMIN_PASSWORD: PASSWORD,
      AUTO_REGISTER: 'false',
      DEVICE_HOST: 'track.example.org',
      MAP_TILES: `${origin}/tiles/{z}/{x}/{y}.png`,
      MAP_ATTRIBUTION: '© Example <b>maps</b>',
    });
    const { simulator } = (await loadCatalogue()).byId('teltonika')!;
    const to = { transport: 'tcp', host: '127.0.0.1', port: system.devicePort } as const;
    device = new SimulatedDevice({ ...to, id: IMEI, simulator, answer: 'ack', slowAnswerMs: 0 }, {}, systemClock);
    device.start();
    browser = await ConsoleBrowser.open(program!, system, [origin]);
  });
  afterAll(async () => {
    await browser?.close();
    device?.stop();
    await system?.stop();
    tiles?.close();
  });

  it('registers a device that has been turned away, and shows it when it connects again', async () => {
    const { page } = browser;
    await browser.visit('devices?state=unknown');
    const refresh = page.getByRole('button', { name: 'Refresh' });
    const register = page.getByRole('button', { name: `Register ${IMEI}` });
    await expect
      .poll(
        async () => {
          await refresh.click();
          return register.count();
        },
        { timeout: 90_000, interval: 1_000 },
      )
      .toBe(1);
    await expect.poll(() => page.locator('tbody tr').textContent()).toContain('Not registered');
    await browser.picture('devices-unregistered');
    await register.click();
    await page.getByText(`Device ${IMEI} registered.`).waitFor();
    await page.getByText('No device matches.').waitFor();
    await browser.visit('devices?state=online');
    const link = page.getByRole('link', { name: IMEI });
    await expect
      .poll(
        async () => {
          await refresh.click();
          return link.count();
        },
        { timeout: 90_000, interval: 1_000 },
      )
      .toBe(1);
    expect(browser.complaints).toEqual([]);
  });

  it('shows which bytes of a frame determine which value', async () => {
    const { page } = browser;
    const time = Math.floor(Date.now() / 1_000) * 1_000;
    device.report([{ time, latitude: 45.25, longitude: 9.5, speed: 50, course: 45, ignition: true }]);
    await browser.visit(`devices/${IMEI}`);
    const frame = page.locator('.frames tbody tr', { hasText: '"latitude"' });
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh' }).click();
          await page.locator('main[data-busy=false]').waitFor();
          return frame.count();
        },
        { timeout: 90_000, interval: 1_000 },
      )
      .toBeGreaterThan(0);
    await frame.first().getByRole('button', { name: 'Fields' }).click();
    await expect.poll(() => new URL(page.url()).search).toContain('frame=');
    const latitude = page.locator('.fields tbody tr', { hasText: 'latitude = 45.25' });
    await latitude.first().waitFor();
    // codec 8: degrees with 7 decimals
    await expect
      .poll(async () => (await latitude.locator('code').allTextContents()).join())
      .toContain((45.25e7).toString(16));
    await page.locator('.fields').scrollIntoViewIfNeeded();
    await browser.picture('device-fields');
    await page.reload();
    await latitude.first().waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('explains the options of a protocol, and changes them', async () => {
    const { page } = browser;
    await browser.visit(`devices/${IMEI}`);
    await page.getByText('Options of the protocol').click();
    await page.getByLabel('Send commands as codec 14').selectOption('true');
    const form = page.getByRole('form', { name: 'Options of the protocol' });
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved.').waitFor();
    const { options } = await call<{ options: object }>(system, 'GET', `/v1/devices/${IMEI}`);
    expect(options).toEqual({ checkImei: true });
  });

  it('says how a device is set up, with host and port of this server', async () => {
    const { page } = browser;
    await browser.visit('devices/setup');
    await page.getByLabel('Protocol, vendor or model').fill('fmb');
    await page.locator('tbody tr', { hasText: 'teltonika' }).getByRole('link').click();
    await page.getByText(`setparam 2004:track.example.org;2005:${system.devicePort};2006:0`).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?q=fmb&protocol=teltonika');
    await browser.picture('device-setup');
    expect(browser.complaints).toEqual([]);
  });

  it('draws the map from the tiles of the operator', async () => {
    const { page } = browser;
    await browser.visit('map');
    await page.waitForSelector('.map[data-ready=true]');
    await expect.poll(() => tilesAsked.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(tilesAsked[0]).toMatch(/^\/tiles\/\d+\/\d+\/\d+\.png$/);
    await page.getByText('© Example <b>maps</b>').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('has a chart of the fuel level, with what was filled in', async () => {
    const { page } = browser;
    await call(system, 'POST', '/v1/devices', { imei: FUELED, options: { fuelTankLitres: 100 } });
    await call(system, 'POST', '/v1/vehicles', { targa: PLATE });
    const from = new Date(START - 3_600_000).toISOString();
    await call(system, 'POST', '/v1/pairings', { targa: PLATE, imei: FUELED, from });
    const positions = Array.from({ length: 120 }, (_, n) => {
      const time = new Date(START + n * 60_000).toISOString();
      const isOn = n < 50 || n > 70;
      // 60 % to 50 % on the way, filled up to 90 % while it stands
      const fuelLevel = n < 50 ? 60 - n * 0.2 : n < 60 ? 50 : n <= 70 ? 90 : 90 - (n - 70) * 0.2;
      return positionOf(FUELED, n, {
        deviceTime: time,
        fixTime: time,
        serverTime: time,
        speed: isOn ? 60 : 0,
        latitude: 45 + Math.min(n, 50) * 0.005 + Math.max(0, n - 70) * 0.005,
        attributes: { ignition: isOn, fuelLevel },
      });
    });
    await call(system, 'POST', '/v1/positions', { positions });
    await browser.visit(`vehicles/${PLATE}?day=${DAY}`);
    await page.getByText('Fuel (l)').waitFor();
    await expect.poll(() => page.locator('.chart canvas').count()).toBe(2);
    await page.getByText(/Refuelled: (39|40|41)(\.\d)? l/).waitFor();
    await page.getByText('No alarm on this day.').waitFor();
    await page.getByText('Fuel (l)').scrollIntoViewIfNeeded();
    await browser.picture('vehicle-fuel');
    expect(browser.complaints).toEqual([]);
  });

  it('has no serious accessibility finding, in both themes and languages', () =>
    browser.review({
      'devices-setup': 'devices/setup?q=fmb&protocol=teltonika',
      'devices-list': 'devices',
      'device-options': `devices/${IMEI}`,
      'vehicle-day': `vehicles/${PLATE}?day=${DAY}`,
      'share-links': 'share',
    }));
});

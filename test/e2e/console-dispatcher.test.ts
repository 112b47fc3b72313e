import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SimulatedFix } from '#codec';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');
const VAN = simulatedImei(820);
const OTHER_VAN = '356307042441013';
const PLATE = 'VN100MI';
/** the area that the vehicle drives into: around 41.95 N, 12.55 E */
const CORNERS = [
  [41.93, 12.53],
  [41.93, 12.57],
  [41.98, 12.55],
] as const;
const STEP_MS = 10_000;

describe.skipIf(program === undefined)('the console of a dispatcher, in a browser', { timeout: 180_000 }, () => {
  let system: System;
  let device: SimulatedDevice;
  let browser: ConsoleBrowser;
  const acknowledged = new Set<number>();

  /** Reports a fix, and waits until the server has acknowledged it. */
  const report = async (fixes: readonly SimulatedFix[]): Promise<void> => {
    device.report(fixes);
    const isDone = () => expect(fixes.every(({ time }) => acknowledged.has(time))).toBe(true);
    await vi.waitFor(isDone, { timeout: 30_000, interval: 50 });
  };

  const fix = (time: number, latitude: number, longitude: number, speed: number): SimulatedFix => ({
    time: Math.floor(time / 1_000) * 1_000,
    latitude,
    longitude,
    speed,
    course: 45,
    ignition: true,
  });

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    const { simulator } = (await loadCatalogue()).byId('teltonika')!;
    const to = { transport: 'tcp', host: '127.0.0.1', port: system.devicePort } as const;
    device = new SimulatedDevice(
      { ...to, id: VAN, simulator, answer: 'ack', slowAnswerMs: 0 },
      { acknowledged: ({ fixes }) => fixes.forEach(({ time }) => void acknowledged.add(time)) },
      systemClock,
    );
    device.start();
    const now = Date.now();
    // some minutes toward the area, 140 m at a time
    const drive = Array.from({ length: 20 }, (_, n) =>
      fix(now - (20 - n) * STEP_MS, 41.87 + n * 0.001, 12.47 + n * 0.001, 50),
    );
    await report(drive);
    const from = new Date(now - 86_400_000).toISOString();
    await call(system, 'POST', '/v1/groups', { name: 'Vans' });
    await call(system, 'POST', '/v1/devices', { imei: OTHER_VAN, options: { protocol: 'gt06' } });
    for (const [targa, imei] of [
      [PLATE, VAN],
      ['VN200MI', OTHER_VAN],
    ] as const) {
      await call(system, 'POST', '/v1/vehicles', { targa, group: 'Vans' });
      await call(system, 'POST', '/v1/pairings', { targa, imei, from });
    }
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    device?.stop();
    await system?.stop();
  });

  const sendForm = () => browser.page.getByRole('form', { name: 'Send command' });
  const dialog = () => browser.page.getByRole('dialog');

  it('sends a command by the form of its protocol, and a privileged one only after its device is named', async () => {
    const { page } = browser;
    await browser.visit(`commands?imei=${VAN}`);
    const form = sendForm();
    await form.locator('select[name=type]').selectOption('outputControl');
    await form.getByLabel('Output, from 1').fill('1');
    await form.getByLabel('1 on, 0 off').fill('1');
    await form.getByRole('button', { name: 'Send command' }).click();
    await dialog().getByText('This command is privileged').waitFor();
    await expect.poll(() => dialog().textContent()).toContain('Switch an output, index: 1, data: 1');
    const confirm = dialog().getByRole('button', { name: 'Confirm' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await browser.picture('command-privileged');
    await dialog().getByRole('textbox').fill(VAN.slice(-4));
    await confirm.click();
    await page.getByText('Queued as cmd_').waitFor();
    await page.locator('tbody tr', { hasText: 'outputControl' }).getByText('Acknowledged').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('sends although the commands of the device arrive while the button is held down', async () => {
    const { page } = browser;
    await browser.visit('commands');
    await browser.settled();
    let release = (): void => {};
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/gprsCommands/types?*', async (route) => {
      await isHeld;
      await route.continue();
    });
    await sendForm().getByLabel('Command text').fill('getinfo');
    await sendForm().getByLabel('Device (IMEI)').fill(VAN);
    await sendForm().getByRole('button', { name: 'Send command' }).hover();
    await page.mouse.down();
    release();
    await sendForm().locator('option[value=outputControl]').waitFor({ state: 'attached' });
    await page.mouse.up();
    await dialog().getByRole('button', { name: 'Keep' }).click();
    await page.unroute('**/v1/gprsCommands/types?*');
    expect(browser.complaints).toEqual([]);
  });

  it('says what is wrong with a parameter before anything is queued', async () => {
    await browser.visit(`commands?imei=${VAN}`);
    await sendForm().locator('select[name=type]').selectOption('getParameter');
    await sendForm().getByLabel('Number of the parameter').fill('70000');
    await sendForm().getByRole('button', { name: 'Send command' }).click();
    await dialog().getByText('id is no whole number from 0 to 65535').waitFor();
    await expect.poll(() => dialog().getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    await dialog().getByRole('button', { name: 'Keep' }).click();
  });

  it('sends a command to the devices of a group that take it, and lists the batch', async () => {
    const { page } = browser;
    await browser.visit('commands');
    await sendForm().getByLabel('Recipient').selectOption('group');
    await sendForm().getByRole('combobox', { name: 'Group' }).selectOption('Vans');
    await expect.poll(() => new URL(page.url()).search).toBe('?group=Vans');
    await sendForm().locator('select[name=type]').selectOption('getVersion');
    await sendForm().getByRole('button', { name: 'Send command' }).click();
    await dialog().getByText('to 1 of 2 devices of the group Vans?').waitFor();
    await dialog().getByText('1 device does not take it').click();
    await dialog().getByText(`${OTHER_VAN}: gt06 takes`).waitFor();
    await browser.picture('command-batch');
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: '1 command queued, 1 refused.' }).click();
    await page.getByText('Commands of one batch').waitFor();
    await page.locator('tbody tr').getByText('Acknowledged').waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Show all commands' }).click();
    await page.locator('tbody tr', { hasText: 'outputControl' }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('finds the vehicle, sees why its command waits, and sends it without the condition', async () => {
    const { page } = browser;
    await report([fix(Date.now(), 41.891, 12.491, 50)]);
    await call(system, 'POST', '/v1/gprsCommands/', { imei: VAN, gprsCommand: 'getinfo', conditions: { maxSpeed: 5 } });
    await browser.visit('map');
    await page.getByLabel('Search plate, IMEI, driver').fill(PLATE);
    await page.getByRole('button', { name: PLATE }).click();
    await page.getByRole('link', { name: 'Open vehicle' }).click();
    await page.locator('main').getByRole('link', { name: 'Commands' }).click();
    const waiting = page.locator('tbody tr', { hasText: 'Pending' });
    await waiting.getByText(/^condition not met: /).waitFor();
    await waiting.getByRole('link').first().click();
    await page.getByRole('button', { name: 'Cancel command' }).click();
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await page.locator('h1').getByText('Cancelled').waitFor();
    await page.getByRole('link', { name: VAN }).click();
    await sendForm().getByLabel('Command text').fill('getinfo');
    await sendForm().getByRole('button', { name: 'Send command' }).click();
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Queued as cmd_' }).click();
    await page.locator('h1').getByText('Acknowledged').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('draws a geofence, and receives the alarm of the vehicle that enters it', async () => {
    const { page } = browser;
    await browser.visit('rules/new');
    await page.locator('select[name=type]').selectOption('geofence_enter');
    await page.getByLabel('Vehicles (plates, one in each line)').fill(PLATE);
    await page.getByRole('button', { name: 'Draw polygon' }).click();
    await page.waitForSelector('.draw-map[data-ready=true]');
    const map = (await page.locator('.draw-map').boundingBox())!;
    for (const n of [1, 2, 3]) {
      await page.mouse.click(map.x + (0.2 + n * 0.2) * map.width, map.y + (n === 2 ? 0.7 : 0.3) * map.height);
      // a second click at once zooms the map
      await page.getByRole('button', { name: `Remove corner ${n}` }).waitFor();
    }
    for (const [n, [latitude, longitude]] of CORNERS.entries()) {
      await page.getByLabel(`Corner ${n + 1}: Latitude`).fill(String(latitude));
      await page.getByLabel(`Corner ${n + 1}: Longitude`).fill(String(longitude));
    }
    await page.getByLabel('Name of the geofence').fill('Depot');
    await page.getByRole('button', { name: 'Save as geofence' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Depot' }).isChecked()).toBe(true);
    await page.getByLabel('Description').fill('Van at the depot');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/console\/rules\/nrl_/);
    await browser.visit('alarms');
    const now = Date.now();
    await report([fix(now - 2_000, 41.9, 12.5, 50)]);
    await report([fix(now, 41.95, 12.55, 40)]);
    await page.locator('tbody tr', { hasText: PLATE }).getByText('Geofence entered').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('shows the alarm on the path of the vehicle', async () => {
    const { page } = browser;
    await browser.visit(`vehicles/${PLATE}`);
    const row = page.getByRole('region', { name: 'Alarms of the day' }).locator('tbody tr').first();
    await row.getByText('Geofence entered').waitFor();
    const output = page.locator('output');
    await expect.poll(() => output.textContent()).toContain('km/h');
    const [before, when] = [await output.textContent(), await row.locator('td').first().textContent()];
    await row.getByRole('button', { name: 'Show on the path' }).click();
    await expect.poll(() => output.textContent()).not.toBe(before);
    await expect.poll(() => output.textContent()).toContain(when!.split(' ')[0]);
    await browser.picture('vehicle-alarms');
    // the list of vehicles can be restricted to those with alarms
    await browser.visit('map?alarms=open');
    await page.getByText('1 of 2 vehicles').waitFor();
    await page.getByRole('button', { name: PLATE }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('loses no alarm while the stream is cut', async () => {
    const { page } = browser;
    const rule = { type: 'overspeed', users: ['admin'], vehicles: [PLATE], params: { limitKmh: 100 } };
    await call(system, 'PUT', '/v1/v1/notifications', { notification_data: rule });
    await report([fix(Date.now(), 41.9, 12.5, 50)]);
    await browser.visit('alarms?state=all');
    await page.getByText('Live', { exact: true }).waitFor();
    try {
      system.kill('api');
      await page.getByText(/Live data interrupted\. Data as of .+ Reconnecting/).waitFor();
      // acknowledged by the gateway alone
      await report([fix(Date.now(), 41.91, 12.51, 130)]);
      await page.getByText('Live', { exact: true }).waitFor({ timeout: 180_000 });
      await page.locator('tbody tr', { hasText: PLATE }).filter({ hasText: 'Overspeed' }).waitFor({ timeout: 120_000 });
    } finally {
      // requests that failed meanwhile
      browser.complaints.length = 0;
    }
  }, 400_000);

  it('replays the trip and exports it', async () => {
    const { page } = browser;
    await browser.visit(`vehicles/${PLATE}`);
    await page.getByRole('button', { name: /^Trip/ }).first().click();
    await expect.poll(() => new URL(page.url()).search).toContain('trip=');
    const output = page.locator('output');
    await expect.poll(() => output.textContent()).toContain('km/h');
    const before = await output.textContent();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => output.textContent()).not.toBe(before);
    await browser.picture('day-replay');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'GPX' }).click();
    const file = await download;
    expect(readFileSync(await file.path(), 'utf8')).toContain('<trkpt');
    expect(browser.complaints).toEqual([]);
  });

  it('has no serious accessibility finding where commands are sent, in both themes and languages', async () => {
    await browser.review({ 'commands-typed': `commands?imei=${VAN}`, 'commands-group': 'commands?group=Vans' });
  });

  it('sends commands on a phone', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of [`commands?imei=${VAN}`, 'commands?group=Vans', `map?vehicle=${PLATE}`, 'alarms?state=all']) {
      await browser.visit(path);
      await page.locator('main[data-busy=false]').waitFor();
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: path })
        .toBeLessThanOrEqual(390);
    }
    await browser.visit(`commands?imei=${VAN}`);
    await sendForm().locator('select[name=type]').selectOption('engineStop');
    await sendForm().getByRole('button', { name: 'Send command' }).click();
    const box = (await dialog().boundingBox())!;
    expect(box.x >= 0 && box.x + box.width <= 390).toBe(true);
    await browser.picture('phone-command');
    await dialog().getByRole('button', { name: 'Keep' }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

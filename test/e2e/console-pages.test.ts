import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';
import { cardFile, datesFrom, dayOf, ordinary } from '../support/tachograph.ts';
import { Trackers } from '../support/trackers.ts';

const program = needs('chromium');
const DAY_MS = 86_400_000;
const FIRST_DEVICE = 840;
const PLATE = 'PA100GE';
const GROUP = 'Refrigerated deliveries Lombardy and Piedmont';
/** The simulated journeys begin yesterday at 10 UTC: on the same day in most zones. */
const START = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS + 36_000_000;
const DAY = new Date(START).toISOString().slice(0, 10);
const MONTH = DAY.slice(0, 7);
const ROLES = ['manager', 'dispatcher', 'viewer'] as const;
const ROUTER = join(import.meta.dirname, '..', '..', 'web', 'src', 'router.tsx');
/** `/console/` followed by the path of each page, as web/src/router.tsx names them. */
const PATHS = [...readFileSync(ROUTER, 'utf8').matchAll(/\bpath: '\/([^']+)'/g)].map(([, path]) => path!);

/** What a page of this path needs in the URL to have content. */
const FILLED: Readonly<Record<string, string>> = {
  map: `map?vehicle=${PLATE}`,
  'vehicles/$targa': `vehicles/${PLATE}?day=${DAY}`,
  'devices/setup': 'devices/setup?protocol=teltonika',
  alarms: 'alarms?state=all',
  'tachograph/payroll': `tachograph/payroll?month=${MONTH}`,
};

describe.skipIf(program === undefined)('every page of the console, in a browser', { timeout: 400_000 }, () => {
  let system: System;
  let trackers: Trackers;
  let browser: ConsoleBrowser;
  /** ids in paths, by the page's path */
  const ids: Record<string, string> = {};
  const paths = (): string[] => PATHS.map((path) => FILLED[path] ?? path.replace(/\$\w+/, () => ids[path]!));
  const create = <T = { id: string }>(path: string, body: object, method = 'POST'): Promise<T> =>
    call<T>(system, method, path, body);

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    trackers = await Trackers.start(system, 1, FIRST_DEVICE, ['teltonika'], START);
    const imei = trackers.all[0]!.device.id;
    await vi.waitFor(() => system.get(`/v1/vehicles/${imei}/position`), { timeout: 60_000, interval: 200 });
    await create('/v1/groups', { name: GROUP });
    await create('/v1/vehicles', { targa: PLATE, group: GROUP });
    await create('/v1/pairings', { targa: PLATE, imei, from: new Date(START - DAY_MS).toISOString() });
    const rule = { type: 'overspeed', users: ['admin'], vehicles: [PLATE], params: { limitKmh: 20 } };
    const made = { notification_data: { ...rule, description: 'Too fast' } };
    ids['rules/$id'] = (await create<{ notificationId: string }>('/v1/v1/notifications', made, 'PUT')).notificationId;
    const text = 'setparam 2004:a-long-name-of-a-server.track.example.org;2005:5300;2006:0';
    const command = await create<{ commandId: string }>('/v1/gprsCommands/', { imei, gprsCommand: text });
    ids['commands/$id'] = command.commandId;
    ids['devices/$imei'] = imei;
    await create('/v1/streams', {
      name: 'nowhere',
      type: 'http',
      url: 'https://receiver.example.org/',
      kinds: ['session'],
    });
    await create('/v1/share-links', { targa: PLATE, until: Date.now() + DAY_MS, precisionM: 1_000 });
    const weekly = { every: 'week', day: 1, hour: 6, zone: 'Europe/Rome', language: 'it', format: 'xlsx' };
    const to = { recipients: ['office@example.org'], vehicles: null };
    await create('/v1/report-schedules', { name: 'Trips of the week', kind: 'trips', ...weekly, ...to });
    for (const role of ROLES) {
      const user = await create('/v1/users', { username: role, role, password: PASSWORD, allVehicles: true });
      ids['admin/users/$id'] = user.id;
    }
    await create('/v1/users', { username: 'driver', role: 'driver', password: PASSWORD });
    const card = cardFile({
      days: datesFrom(DAY, 1).map((date) => dayOf(date, ordinary)),
      lastDownload: Math.floor(Date.now() / 1_000),
    });
    const form = new FormData();
    form.append('file', new Blob([Buffer.from(card)]), 'card.ddd');
    const headers = { authorization: `Bearer ${system.key}` };
    const url = `http://127.0.0.1:${system.apiPort}/v1/drivers/ddd`;
    const stored = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as { fileId: string };
    ids['tachograph/files/$id'] = stored.fileId;
    await create('/v1/drivers/ddd/drivers', {});
    const { items } = await call<{ items: { id: string }[] }>(system, 'GET', '/v1/drivers');
    ids['tachograph/drivers/$id'] = `${items[0]!.id}?month=${MONTH}`;
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    await trackers?.stop();
    await system?.stop();
  });

  const settled = async (): Promise<void> => {
    await browser.page.locator('main h1').first().waitFor();
    await browser.page.locator('main[data-busy=false]').waitFor();
  };

  /** What is wrong with each page as it is shown now. */
  const faults = async (suffix: string): Promise<string[]> => {
    const { page } = browser;
    const found: string[] = [];
    for (const path of paths()) {
      await browser.visit(path);
      await settled();
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      if (tooWide !== 0) found.push(`${path} is too wide: ${tooWide} px`);
      if (!/^.+ · Fleetgate$/.test(await page.title())) found.push(`${path} has no title`);
      found.push(...(await browser.seriousFindings()).map((each) => `${path}: ${each}`));
      const alerts = await page.getByRole('alert').allTextContents();
      found.push(...alerts.map((each) => `${path}: ${each}`));
      const name = path
        .replace(/\?.*/, '')
        .replace(/\/\w+_\w+$/, '/id')
        .replaceAll('/', '-');
      await browser.picture(`page-${name}-${suffix}`);
    }
    return found;
  };

  /** Chosen settings of the browser, and its width. */
  const use = async (language: 'en' | 'it', theme: 'light' | 'dark', width = 1_280): Promise<void> => {
    const { page } = browser;
    await page.evaluate(`localStorage.setItem('fleetgate-console', '${JSON.stringify({ language, theme })}')`);
    await page.setViewportSize({ width, height: 800 });
  };

  it('has a title and a heading, fits, and has no serious accessibility finding', async () => {
    await use('en', 'light');
    expect(await faults('light')).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  it('is the same on a phone, in Italian and the dark theme', async () => {
    await use('it', 'dark', 390);
    expect(await faults('phone')).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });

  it('says what is missing where nothing has this address', async () => {
    const { page } = browser;
    await use('en', 'light');
    for (const path of ['nowhere', 'devices/123', 'commands/cmd_0', 'admin/users/usr_0', 'vehicles/XX000XX']) {
      await browser.visit(path);
      const said = page.getByRole('heading', { name: 'There is no such page.' }).or(page.getByRole('alert'));
      await said.first().waitFor();
      expect(await browser.seriousFindings(), path).toEqual([]);
    }
    browser.complaints.splice(0);
  });

  it.each(ROLES)('is offered to a %s only if the role may see it, and needs nothing that it may not', async (role) => {
    const { page } = browser;
    await use('en', 'light');
    await browser.logIn(role);
    await settled();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403)
        refused.push(`${new URL(page.url()).pathname}: ${new URL(response.url()).pathname}`);
    });
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const offered = await links.evaluateAll((all) => all.map((each) => new URL(String(each)).pathname));
    expect(offered).toContain('/console/map');
    const shown: string[] = [];
    for (const path of paths()) {
      await browser.visit(path);
      await settled();
      if ((await page.getByText('This account may not see this page.').count()) === 0) shown.push(path);
      expect(await page.getByRole('alert').allTextContents(), `${role}: ${path}`).toEqual([]);
    }
    expect(refused).toEqual([]);
    const roots = new Set(shown.map((path) => `/console/${path.replace(/\?.*/, '')}`));
    for (const each of offered) if (each.startsWith('/console/')) expect(roots).toContain(each);
    expect(shown.some((path) => path.startsWith('admin/'))).toBe(role === 'manager');
    expect(shown.some((path) => path.startsWith('tachograph'))).toBe(role !== 'viewer');
    expect(browser.complaints).toEqual([]);
  });

  it('is not for drivers, which the login says', async () => {
    const { page } = browser;
    await use('en', 'light');
    await browser.logOut();
    await page.fill('#user', 'driver');
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.getByText('This account has no access to the console.').waitFor();
    expect(await browser.seriousFindings()).toEqual([]);
  });

  it('is shown again as it was after a new login', async () => {
    const { page } = browser;
    await browser.logIn('admin');
    await browser.visit('alarms?state=all');
    await page.locator('main[data-busy=false]').waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(browser.url('/console/alarms?state=all'));
    browser.complaints.splice(0);
  });
});

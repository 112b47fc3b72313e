import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, PASSWORD } from '../support/console.ts';
import { type ConsoleContent, fillConsole, ROLES } from '../support/console-content.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

/** Texts with a time of day (with seconds, or behind a date: others are durations) that do not name its zone. */
const TIMES_WITHOUT_ZONE = `(() => {
  const time = /\\d\\d:\\d\\d:\\d\\d|\\d{4},? \\d\\d:\\d\\d|\\d\\dT\\d\\d:\\d\\d/;
  const zone = /UTC|GMT|[A-Z]{3,4}\\b|[+-]\\d\\d:\\d\\d|\\dZ/;
  const found = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (!time.test(node.data) || node.parentElement.closest('pre, code, option, script, style') !== null) continue;
    const said = node.parentElement.closest('[aria-label], [title]');
    const around = node.parentElement.textContent + ' ' + (said?.getAttribute('aria-label') ?? '') + ' ' + (said?.title ?? '');
    if (!zone.test(around)) found.push(node.data.trim());
  }
  return found;
})()`;

/** How far a page may move what is already shown while it loads (https://web.dev/articles/cls: good). */
const MOST_SHIFT = 0.1;
/** The sum of the layout shifts that the browser has seen since it began to load the page, and what has moved. */
const LAYOUT_SHIFT = `new Promise((resolve, reject) => {
  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) reject(new Error('layout shift is not measured'));
  let sum = 0;
  const moved = new Set();
  const take = (entries) => {
    for (const { value, sources, hadRecentInput } of entries) {
      if (hadRecentInput) continue;
      sum += value;
      for (const { node } of sources) moved.add((node?.closest?.('section, main') ?? node)?.textContent?.slice(0, 40));
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => {
    take(observer.takeRecords());
    observer.disconnect();
    resolve({ sum, moved: [...moved].join(', ') });
  }));
})`;

const program = needs('chromium');
describe.skipIf(program === undefined)('every page of the console, in a browser', { timeout: 400_000 }, () => {
  let system: System;
  let content: ConsoleContent;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    content = await fillConsole(system);
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    content?.stop();
    await system?.stop();
  });

  /** Pixels of a page that do not fit; its picture is taken. */
  const excess = async (path: string, width: number, suffix: string): Promise<string[]> => {
    const { page } = browser;
    await page.setViewportSize({ width, height: 800 });
    // charts and maps take the new width after the page has
    const fits = page.waitForFunction('document.documentElement.scrollWidth <= window.innerWidth', null, {
      timeout: 5_000,
    });
    await fits.catch(() => undefined);
    const tooWide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
    const name = path
      .replace(/\?.*/, '')
      .replace(/\/\w+_\w+$/, '/id')
      .replaceAll('/', '-');
    await browser.picture(`page-${name}-${suffix}`);
    return tooWide === 0 ? [] : [`${path} is too wide for ${width}: ${tooWide} px`];
  };

  /** What is wrong with each page. It is shown in the second width after the first, for which it was loaded. */
  const faults = async ([first, second]: readonly (readonly [number, string])[]): Promise<string[]> => {
    const { page } = browser;
    const found: string[] = [];
    for (const path of content.paths) {
      await page.setViewportSize({ width: first![0], height: 800 });
      await browser.visit(path);
      await browser.settled();
      found.push(...(await excess(path, ...first!)));
      const { sum, moved } = await page.evaluate<{ sum: number; moved: string }>(LAYOUT_SHIFT);
      if (sum > MOST_SHIFT) found.push(`${path} moves what it shows by ${sum.toFixed(3)} for ${first![0]}: ${moved}`);
      if (!/^.+ · Fleetgate$/.test(await page.title())) found.push(`${path} has no title`);
      found.push(...(await browser.seriousFindings()).map((each) => `${path}: ${each}`));
      const alerts = await page.getByRole('alert').allTextContents();
      found.push(...alerts.map((each) => `${path}: ${each}`));
      found.push(
        ...(await page.evaluate<string[]>(TIMES_WITHOUT_ZONE)).map((each) => `${path}: ${each} has no time zone`),
      );
      found.push(...(await excess(path, ...second!)));
    }
    return found;
  };

  /** Chosen settings of the browser, and its width. */
  const use = async (language: 'en' | 'it', theme: 'light' | 'dark', width = 1_280): Promise<void> => {
    const { page } = browser;
    await page.evaluate(`localStorage.setItem('fleetgate-console', '${JSON.stringify({ language, theme })}')`);
    await page.setViewportSize({ width, height: 800 });
  };

  const DESKTOP = 1_280;
  const PHONE = 390;
  it.each([
    [
      'en',
      'light',
      [
        [DESKTOP, 'light'],
        [PHONE, 'phone-en'],
      ],
    ],
    [
      'it',
      'dark',
      [
        [PHONE, 'phone'],
        [DESKTOP, 'dark-it'],
      ],
    ],
  ] as const)(
    'has a title and a heading, fits on a desktop and a phone, and has no serious accessibility finding: %s, %s',
    async (language, theme, widths) => {
      await use(language, theme);
      expect(await faults(widths)).toEqual([]);
      expect(browser.complaints).toEqual([]);
    },
  );

  it('shows what stands below an answer that does not come', async () => {
    const { page } = browser;
    await use('en', 'light');
    await page.route('**/metrics', () => {});
    await browser.visit('operations');
    await page.getByRole('region', { name: 'Gateways' }).getByRole('table').waitFor();
    await expect.poll(() => page.locator('main').getAttribute('data-busy')).toBe('true');
    await page.unroute('**/metrics');
  });

  /** The first page of each subject. */
  const oneOfEach = (): string[] => [
    ...new Map(content.paths.toReversed().map((path) => [path.split(/[/?]/)[0], path])).values(),
  ];

  it('says on pages of every subject that live data are interrupted, and that they are back', async () => {
    const { page } = browser;
    await use('en', 'light');
    const banner = page.getByText(/Live data interrupted\. Data as of .+ Reconnecting/);
    await page.route('**/v1/events', (route) => route.abort());
    for (const path of oneOfEach()) {
      await browser.visit(path);
      await browser.settled();
      await banner.waitFor();
      await expect.poll(() => page.getByRole('alert').allTextContents(), { message: path }).toEqual([]);
    }
    await page.unroute('**/v1/events');
    await page.getByText('Live', { exact: true }).waitFor();
    // requests that were refused
    browser.complaints.splice(0);
  });

  it('loads by itself what a page of any subject could not load, as soon as the server answers', async () => {
    const { page } = browser;
    await use('en', 'light');
    const alerts = page.getByRole('alert');
    const spared = new Set<string>();
    for (const path of oneOfEach()) {
      await page.route(/\/v1\/(?!app\/me$)/, (route) => route.abort());
      await browser.visit(path);
      await page.locator('main h1').or(alerts).first().waitFor();
      await page.locator('main[data-busy=false]').waitFor();
      // the map has a heading, and is not busy, before it asks for anything
      const first = alerts.first().waitFor({ timeout: 20_000 });
      await first.catch(() => spared.add(path));
      for (const said of await alerts.allTextContents()) expect(said, path).toContain('The server does not answer.');
      await page.unrouteAll();
      await expect.poll(() => alerts.allTextContents(), { timeout: 30_000, message: path }).toEqual([]);
      await browser.settled();
    }
    expect([...spared]).toEqual([]);
    // nothing at all is known of the user
    await page.route('**/v1/app/me', (route) => route.abort());
    await browser.visit('map');
    await page.getByText('The server does not answer.').waitFor();
    await page.unrouteAll();
    await browser.settled();
    browser.complaints.splice(0);
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
    await browser.settled();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403)
        refused.push(`${new URL(page.url()).pathname}: ${new URL(response.url()).pathname}`);
    });
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const offered = await links.evaluateAll((all) => all.map((each) => new URL(String(each)).pathname));
    expect(offered).toContain('/console/map');
    const shown: string[] = [];
    for (const path of content.paths) {
      await browser.visit(path);
      await browser.settled();
      if ((await page.getByText('This account may not see this page.').count()) === 0) shown.push(path);
      await expect.poll(() => page.getByRole('alert').allTextContents(), { message: `${role}: ${path}` }).toEqual([]);
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

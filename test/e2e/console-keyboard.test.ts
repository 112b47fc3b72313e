import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, PASSWORD } from '../support/console.ts';
import { type ConsoleContent, fillConsole, PLATE } from '../support/console-content.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');
/** more than any page has */
const MOST_STOPS = 400;

type Role = 'button' | 'link' | 'checkbox' | 'searchbox' | 'combobox' | 'textbox' | 'spinbutton' | 'region' | 'slider';

/** What each page is for: reached by Tab alone. */
const MAIN: Readonly<Record<string, readonly [role: Role, name: string | RegExp]>> = {
  map: ['button', new RegExp(`^${PLATE}`)],
  'vehicles/$targa': ['button', 'Play'],
  commands: ['button', 'Send command'],
  devices: ['link', /^\d{15}$/],
  'devices/setup': ['searchbox', /./],
  'devices/$imei': ['combobox', 'Since'],
  share: ['button', 'Create link'],
  alarms: ['button', /^Acknowledge: /],
  rules: ['link', 'New rule'],
  'rules/$id': ['button', 'Save'],
  operations: ['button', /^Pause: /],
  'operations/set-aside': ['combobox', /./],
  tachograph: ['link', 'Files'],
  'tachograph/drivers/$id': ['link', /./],
  'tachograph/files': ['button', /./],
  'tachograph/files/$id': ['link', /./],
  'tachograph/infringements': ['button', /./],
  'tachograph/letters': ['combobox', /./],
  'tachograph/notices': ['combobox', /./],
  'tachograph/posting': ['button', /./],
  'tachograph/settings': ['button', 'Save'],
  'tachograph/payroll': ['button', /./],
  'admin/users': ['button', 'Create user'],
  'admin/users/$id': ['button', 'Save'],
  'admin/keys': ['button', 'Create key'],
  'admin/tenants': ['button', 'Create tenant'],
  'admin/settings': ['button', 'Save'],
  'admin/audit': ['textbox', /./],
  reports: ['button', 'Schedule report'],
  'commands/$id': ['link', /^\d{15}$/],
};

interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown };
}

interface Focused {
  readonly text: string;
  readonly isBody: boolean;
  readonly isVisible: boolean;
  readonly isMarked: boolean;
}

/** The element that has the focus: whether it is in view, and drawn differently from one without. */
const FOCUSED = `(() => {
  const e = document.activeElement;
  const box = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  const isMarked = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
  const isVisible = box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0 &&
    box.top < innerHeight && box.left < innerWidth;
  const text = e.tagName + ' ' + (e.getAttribute('aria-label') ?? e.textContent ?? '').slice(0, 40);
  return { text, isBody: e === document.body, isVisible, isMarked };
})()`;

describe.skipIf(program === undefined)('the console with a keyboard alone, in a browser', { timeout: 400_000 }, () => {
  let system: System;
  let content: ConsoleContent;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    content = await fillConsole(system);
    browser = await ConsoleBrowser.open(program!, system);
    await browser.setting('Language', 'en');
  });
  afterAll(async () => {
    await browser?.close();
    content?.stop();
    await system?.stop();
  });

  const press = (key: string): Promise<void> => browser.page.keyboard.press(key);
  const focused = async (): Promise<Focused> => (await browser.page.evaluate(FOCUSED)) as Focused;
  const hasFocus = (target: Locator): Promise<boolean> =>
    target.evaluateAll((elements) => {
      const all = elements as unknown as Focusable[];
      return all.some((each) => each.ownerDocument.activeElement === each);
    });

  const open = async (path: string): Promise<void> => {
    await browser.visit(path);
    await browser.page.locator('main h1').first().waitFor();
    await browser.page.locator('main[data-busy=false]').waitFor();
  };

  /** Presses Tab until the target has the focus. Every stop on the way is in view and marked. */
  const tabTo = async (target: Locator, key = 'Tab'): Promise<void> => {
    await target.first().waitFor();
    for (let n = 0; n < MOST_STOPS; n++) {
      await press(key);
      const at = await focused();
      // after the last stop of the page comes the browser itself
      if (at.isBody) continue;
      expect(at, `stop ${n}`).toMatchObject({ isVisible: true, isMarked: true });
      if (await hasFocus(target)) return;
    }
    throw new Error(`not reached by ${key}: ${target}`);
  };

  /** Chooses an option by arrows: letters that come slowly begin another search. */
  const choose = async (select: Locator, option: string): Promise<void> => {
    await tabTo(select);
    await press('Home');
    for (let n = 0; n < MOST_STOPS; n++) {
      if ((await select.locator('option:checked').textContent()) === option) return;
      await press('ArrowDown');
    }
    throw new Error(`no option ${option}`);
  };

  it('has the main action of every page in the order of Tab, each stop in view and marked', async () => {
    const { page } = browser;
    expect(Object.keys(MAIN).toSorted()).toEqual(content.named.map(({ name }) => name).toSorted());
    for (const { name, path } of content.named) {
      await open(path);
      const [role, label] = MAIN[name]!;
      const exact = typeof label === 'string';
      await tabTo(page.locator('main').getByRole(role, exact ? { name: label, exact } : { name: label }));
    }
    expect(browser.complaints).toEqual([]);
  });

  it('skips the navigation', async () => {
    await open('commands');
    await press('Tab');
    await expect.poll(async () => (await focused()).text).toBe('A Skip to content');
    await press('Enter');
    await press('Tab');
    await expect.poll(() => browser.page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  it('moves in the list of vehicles with arrows, and selects one', async () => {
    const { page } = browser;
    for (const n of [1, 2, 3]) {
      const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ targa: `KB10${n}AA` });
      await fetch(`http://127.0.0.1:${system.apiPort}/v1/vehicles`, { method: 'POST', headers, body });
    }
    await open('map');
    await page.getByText('4 of 4 vehicles').waitFor();
    const rows = page.locator('.row');
    await tabTo(rows);
    const plate = () => page.evaluate('document.activeElement.querySelector("strong")?.textContent');
    const plates = await rows.locator('strong').allTextContents();
    await expect.poll(plate).toBe(plates[0]);
    await press('ArrowDown');
    await expect.poll(plate).toBe(plates[1]);
    await press('End');
    await expect.poll(plate).toBe(plates[3]);
    await press('ArrowDown');
    await expect.poll(plate).toBe(plates[3]);
    await press('Home');
    await expect.poll(plate).toBe(plates[0]);
    await press('ArrowDown');
    await expect.poll(plate).toBe(plates[1]);
    await press('Enter');
    await page.getByRole('complementary', { name: plates[1]! }).waitFor();
    // the list is one stop: the next one is on the map
    await press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.closest(".map-area") !== null')).toBe(true);
    await tabTo(page.getByRole('button', { name: 'Close', exact: true }));
    await press('Space');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('keeps the focus in a dialog, ends it by Escape, and returns the focus', async () => {
    const { page } = browser;
    await open('commands');
    await tabTo(page.getByLabel('Device (IMEI)'));
    await page.keyboard.type(content.imei);
    await tabTo(page.getByLabel('Command text'));
    await page.keyboard.type('getinfo');
    await press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const within = () => page.evaluate('document.activeElement.closest("dialog") !== null');
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await press(key);
      await expect.poll(within, { message: key }).toBe(true);
      await expect.poll(focused, { message: key }).toMatchObject({ isVisible: true, isMarked: true });
    }
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(page.getByLabel('Command text'))).toBe(true);
    await press('Enter');
    await dialog.waitFor();
    await tabTo(dialog.getByRole('button', { name: 'Confirm' }));
    await press('Enter');
    await page.getByText('Queued as cmd_').waitFor();
    await expect.poll(() => hasFocus(page.getByLabel('Command text'))).toBe(true);
  });

  it('returns the focus to the button in a table that opened a dialog', async () => {
    const { page } = browser;
    await open('share');
    const end = page.locator('tbody').getByRole('button').first();
    await tabTo(end);
    const name = await end.getAttribute('aria-label');
    await press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(focused).toMatchObject({ text: `BUTTON ${name}`.slice(0, 47) });
  });

  it('gives the focus to the page where what opened a dialog is gone', async () => {
    const { page } = browser;
    await open('reports');
    await tabTo(page.getByRole('button', { name: /^Remove: / }));
    await press('Enter');
    const dialog = page.getByRole('dialog');
    await tabTo(dialog.getByRole('button', { name: 'Confirm' }));
    await press('Enter');
    await page.getByRole('button', { name: /^Remove: / }).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
    expect(browser.complaints).toEqual([]);
  });

  it('draws a corridor by its numbers, saves it as a geofence, and edits it again', async () => {
    const { page } = browser;
    await open('rules/new');
    await choose(page.locator('select[name=type]'), 'Geofence left');
    await tabTo(page.getByRole('button', { name: 'Draw corridor' }));
    await press('Space');
    const add = page.getByRole('button', { name: 'Add corner' });
    const type = async (label: string, value: string): Promise<void> => {
      await tabTo(page.getByLabel(label, { exact: true }));
      await press('Control+A');
      await page.keyboard.type(value);
    };
    await tabTo(add);
    await press('Enter');
    await press('Enter');
    await tabTo(page.getByLabel('Width (m)'), 'Shift+Tab');
    await press('Control+A');
    await page.keyboard.type('350');
    for (const [n, latitude, longitude] of [
      [1, '45.1', '9.1'],
      [2, '45.2', '9.3'],
    ] as const) {
      await type(`Corner ${n}: Latitude`, latitude);
      await type(`Corner ${n}: Longitude`, longitude);
    }
    await type('Name of the geofence', 'Motorway');
    await tabTo(page.getByRole('button', { name: 'Save as geofence' }));
    await press('Enter');
    await page.getByText('Geofence saved and selected.').waitFor();
    const edit = page.getByRole('button', { name: 'Edit geofence Motorway' });
    await tabTo(edit);
    await press('Enter');
    await expect.poll(() => page.getByLabel('Width (m)').inputValue()).toBe('350');
    await expect.poll(() => page.getByLabel('Corner 2: Latitude').inputValue()).toBe('45.2');
    await expect.poll(() => page.getByRole('button', { name: /^Remove corner/ }).count()).toBe(2);
    await type('Width (m)', '500');
    await tabTo(page.getByRole('button', { name: 'Save geofence' }));
    await press('Enter');
    await page.getByText('Geofence saved. The rules').waitFor();
    const { area } = await system.get<{ area: unknown }>('/v1/geofences/Motorway');
    const line = [
      [9.1, 45.1],
      [9.3, 45.2],
    ];
    expect(area).toMatchObject({ type: 'polygon', corridor: { line, widthM: 500 } });
    expect(browser.complaints).toEqual([]);
  });
});

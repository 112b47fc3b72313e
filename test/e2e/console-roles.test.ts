import type { Locator, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { type ConsoleContent, DAY, fillConsole, PLATE, ROLES } from '../support/console-content.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');
type Role = (typeof ROLES)[number];

/** Forms of all pages by the page's path: which a role can submit, and which it sees without. */
const FORMS: Readonly<Record<Role, { readonly submitted: readonly string[]; readonly shown: readonly string[] }>> = {
  viewer: {
    submitted: [],
    shown: ['devices/$imei: Options of the protocol', 'devices/$imei: Tank of the vehicle', 'rules/$id: Rule'],
  },
  dispatcher: {
    submitted: ['commands: Send command', 'reports: Schedule report', 'rules/new: Rule'],
    shown: [
      'devices/$imei: Options of the protocol',
      'devices/$imei: Tank of the vehicle',
      // somebody else has made it
      'rules/$id: Rule',
    ],
  },
  manager: {
    submitted: [
      'admin/keys: Create key',
      'admin/users/$id: Edit user',
      'admin/users: Create user',
      'commands: Send command',
      'devices/$imei: Options of the protocol',
      'devices/$imei: Tank of the vehicle',
      'reports: Schedule report',
      'rules/$id: Rule',
      'rules/new: Rule',
      'share: New link',
      'tachograph/drivers/$id: Add correction',
      'tachograph/drivers/$id: Issue attestation',
      'tachograph/posting: Enter a carriage',
      'tachograph/settings: Settings',
      `tachograph: Schedule: ${PLATE}`,
      'tachograph: Schedule: Żółkiewski Łucja',
    ],
    // the patterns of privileged commands are those of administrators
    shown: ['admin/settings: Commands', 'admin/users/admin: Edit user'],
  },
};

/** What forms need other than they propose. */
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // where the driver has activities
  'Add correction': { from: `${DAY}T05:00`, to: `${DAY}T05:30` },
};

describe.skipIf(program === undefined)('forms of the console by role, in a browser', { timeout: 400_000 }, () => {
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

  const visit = async (path: string): Promise<void> => {
    await browser.visit(path);
    await browser.settled();
    // a form may be in a part that is closed at first
    await browser.page.evaluate('for (const each of document.querySelectorAll("main details")) each.open = true');
  };

  const values = (role: Role): Readonly<Record<string, string>> => ({
    text: 'getinfo',
    targa: PLATE,
    vehicles: PLATE,
    name: `Of the ${role}`,
    recipients: 'office@example.org',
    reason: 'Wrong position of the selector',
    position: 'Manager',
    document: 'AX1234567',
    place: 'Roma',
    birthDate: '1980-02-01',
    employedSince: '2020-03-01',
    username: `new-of-${role}`,
    'param.limitKmh': '90',
  });

  /** Fills what the form requires, and submits it with its confirmation. Returns the answers to its changes. */
  const submit = async (form: Locator, role: Role): Promise<Response[]> => {
    const { page } = browser;
    const answers: Response[] = [];
    const note = (response: Response): void => {
      if (response.request().method() !== 'GET') answers.push(response);
    };
    page.on('response', note);
    for (const [name, value] of Object.entries(values(role))) {
      const field = form.locator(`input[name="${name}"], textarea[name="${name}"]`);
      if ((await field.count()) === 1 && (await field.inputValue()) === '') await field.fill(value);
    }
    const label = String(await form.getAttribute('aria-label'));
    for (const [name, value] of Object.entries(OTHERWISE[label] ?? {})) {
      await form.locator(`input[name="${name}"]`).fill(value);
    }
    const device = form.getByLabel('Device (IMEI)');
    if ((await device.count()) === 1) await device.fill(content.imei);
    const scope = form.locator('input[name=scopes]').first();
    if ((await scope.count()) === 1) await scope.check();
    const before = page.url();
    await form.locator('button[type=submit]').click();
    const dialog = page.getByRole('dialog').getByRole('button', { name: 'Confirm' });
    const done = form.or(page.locator('main')).getByRole('status').or(form.getByRole('alert')).or(dialog);
    await expect.poll(() => answers.length, { message: label, timeout: 20_000 }).toBeGreaterThan(0);
    // what is new has a page of its own
    await expect
      .poll(async () => page.url() !== before || (await done.count()) > 0, { message: label, timeout: 20_000 })
      .toBe(true);
    if ((await dialog.count()) > 0) {
      const count = answers.length;
      await dialog.click();
      await expect.poll(() => answers.length, { message: label, timeout: 20_000 }).toBeGreaterThan(count);
    }
    await browser.settled();
    page.off('response', note);
    return answers;
  };

  it.each(ROLES)('can be submitted by a %s, or say why they cannot', async (role) => {
    const { page } = browser;
    await browser.logIn(role);
    await browser.setting('Language', 'en');
    const { items } = await call<{ items: { id: string; username: string }[] }>(system, 'GET', '/v1/users?q=admin');
    const admin = items.find(({ username }) => username === 'admin')!.id;
    const visited = [
      ...content.named,
      { name: 'rules/new', path: 'rules/new' },
      { name: 'admin/users/admin', path: `admin/users/${admin}` },
    ];
    const submitted: string[] = [];
    const shown: string[] = [];
    for (const { name, path } of visited) {
      await visit(path);
      const forms = await page.locator('main form').all();
      const titles = await Promise.all(forms.map((form) => form.getAttribute('aria-label')));
      for (const title of titles) {
        const form = page.getByRole('form', { name: title!, exact: true });
        const button = form.locator('button[type=submit]:enabled');
        if ((await button.count()) === 0) {
          await expect
            .poll(() => form.locator('.notice-inline').count(), { message: `${role}: ${path}: ${title} says why` })
            .toBe(1);
          await expect.poll(() => form.locator('input:enabled, select:enabled, textarea:enabled').count()).toBe(0);
          shown.push(`${name}: ${title}`);
          continue;
        }
        const answers = await submit(form, role);
        await expect
          .poll(() => form.getByRole('alert').allTextContents(), { message: `${role}: ${path}: ${title}` })
          .toEqual([]);
        for (const answer of answers) expect(answer.status(), `${role}: ${answer.url()}`).toBeLessThan(300);
        submitted.push(`${name}: ${title}`);
        await visit(path);
      }
    }
    expect({ submitted: submitted.toSorted(), shown: shown.toSorted() }).toEqual({
      submitted: FORMS[role].submitted.toSorted(),
      shown: FORMS[role].shown.toSorted(),
    });
    expect(browser.complaints).toEqual([]);
  });

  it('let a dispatcher change and delete the rule that he has made', async () => {
    const { page } = browser;
    await browser.logIn('dispatcher');
    await browser.visit('rules');
    const own = page.locator('tbody tr', { hasText: 'Overspeed', hasNotText: /fast/i });
    await own.getByRole('link').click();
    await browser.settled();
    const form = page.getByRole('form', { name: 'Rule', exact: true });
    await form.getByLabel('Description').fill('Of the dispatcher');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await form.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(browser.url('/console/rules'));
    await page.getByText('Of the dispatcher').waitFor({ state: 'detached' });
    expect(browser.complaints).toEqual([]);
  });
});

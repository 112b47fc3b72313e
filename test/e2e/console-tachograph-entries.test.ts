import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';
import { cardFile, datesFrom, dayOf, longDay, ordinary } from '../support/tachograph.ts';

const program = needs('chromium');
const DAY_MS = 86_400_000;
const now = Date.now();
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const FIRST = dateOf(now - 4 * DAY_MS);
const LONG_DAY = dateOf(now - 3 * DAY_MS);

const card = (): Uint8Array =>
  cardFile({
    days: datesFrom(FIRST, 4).map((date) => dayOf(date, date === LONG_DAY ? longDay : ordinary)),
    lastDownload: Math.floor(now / 1_000),
  });

describe.skipIf(program === undefined)('what the tachograph pages of the console send, in a browser', () => {
  let system: System;
  let browser: ConsoleBrowser;

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    await call(system, 'POST', '/v1/vehicles', { targa: 'TA100CO' });
    const named = { name: 'Ugo', cardNumber: 'I000000012345600' };
    const driverId = (await call<{ id: string }>(system, 'POST', '/v1/drivers', named)).id;
    const fileBase64 = Buffer.from(card()).toString('base64');
    await call(system, 'POST', '/v1/drivers/ddd', { fileBase64, fileName: 'card.ddd' });
    const about = { driverId, from: FIRST, to: dateOf(now) };
    // a letter has a sender
    await call(system, 'PUT', '/v1/drivers/ddd/settings', { employer: { name: 'Undertaking' } });
    const { id } = await call<{ id: string }>(system, 'POST', '/v1/drivers/ddd/letters', about);
    await call(system, 'PATCH', `/v1/drivers/ddd/letters/${id}`, { state: 'refused' });
    const [italy, germany] = [26, 13];
    for (const [loadedIn, loaded, unloaded] of [
      [italy, '05:00', '08:00'],
      ...['09', '11', '13', '15'].map((hour) => [germany, `${hour}:00`, `${hour}:30`] as const),
    ] as const) {
      await call(system, 'POST', '/v1/drivers/ddd/transports', {
        driverId,
        targa: 'TA100CO',
        loadedIn,
        loadedAt: `${FIRST}T${loaded}:00Z`,
        unloadedIn: germany,
        unloadedAt: `${FIRST}T${unloaded}:00Z`,
      });
    }
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  it('goes on with an upload while other pages are shown, and has its results after a reload', async () => {
    const { page } = browser;
    const uploads = page.getByRole('region', { name: 'Upload' });
    const files = Array.from({ length: 30 }, (_, n) => ({
      name: `note-${n}.ddd`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(`no tachograph file ${n}`),
    }));
    await browser.visit('tachograph/files');
    // what was finished before is removed from the list by the user
    while ((await uploads.getByRole('button', { name: 'Remove from this list' }).count()) > 0) {
      await uploads.getByRole('button', { name: 'Remove from this list' }).first().click();
    }
    await page.reload();
    await page.locator('.drop').waitFor();
    await expect.poll(() => uploads.getByRole('listitem').count()).toBe(0);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let requests = 0;
    await page.route('**/v1/drivers/ddd?background=true', async (route) => {
      requests += 1;
      await released;
      // the server is busy with other uploads
      if (requests === 1) await route.fulfill({ status: 429, json: { code: 'too-many-uploads' } });
      else await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(files);
    await uploads.getByText('30 files').waitFor();
    await page.getByRole('link', { name: 'Letters' }).click();
    await page.getByRole('heading', { name: 'Letters' }).waitFor();
    release();
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await uploads.getByText('the server is busy; it is sent again soon').waitFor();
    await uploads.getByText('30 of 30 finished').waitFor();
    expect(requests).toBe(2);
    await page.unroute('**/v1/drivers/ddd?background=true');
    await page.reload();
    await uploads.getByText('30 of 30 finished').waitFor();
    await uploads.locator('li', { hasText: 'note-29.ddd' }).getByText('rejected').waitFor();
    await uploads.getByRole('button', { name: 'Remove from this list' }).click();
    await uploads.getByText('30 of 30 finished').waitFor({ state: 'detached' });
    // the browser itself logs the answer 429
    browser.complaints.splice(0);
  });

  it('asks before another letter about the same infringement', async () => {
    const { page } = browser;
    const count = async (): Promise<number> =>
      (await call<{ items: unknown[] }>(system, 'GET', '/v1/drivers/ddd/letters')).items.length;
    await browser.visit('tachograph/infringements');
    const row = page.locator('tbody tr', { hasText: 'Daily driving time exceeded' });
    await row.getByText(/^Letter: .+, refused/).waitFor();
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Issue letter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/exists already \(.+, refused .+\)/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(count).toBe(1);
    await page.getByRole('button', { name: 'Issue letter' }).click();
    await dialog.getByRole('button', { name: 'Confirm' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Letter to .+ issued\.$/).waitFor();
    await expect.poll(count).toBe(2);
    expect(browser.complaints).toEqual([]);
    // somebody else has issued a letter since the page was read
    await row.getByText(/^Letter: .+, waits for signature/).waitFor();
    await page.route('**/v1/drivers/ddd/infringements?**', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const item of body.items) item.letters = [];
      await route.fulfill({ response, json: body });
    });
    await browser.visit('tachograph/infringements');
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Issue letter' }).click();
    await dialog.getByText(/names one of the infringements; issued on/).waitFor();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await page.unroute('**/v1/drivers/ddd/infringements?**');
    await expect.poll(count).toBe(2);
    // the browser itself logs the answer 409
    browser.complaints.splice(0);
  });

  it('takes a carriage, counts it, and revokes it', async () => {
    const { page } = browser;
    await browser.visit('tachograph/posting');
    const section = page.getByRole('region', { name: 'Entered carriages' });
    await section.locator('tbody tr').nth(4).waitFor();
    await section.getByText('Enter a carriage', { exact: true }).first().click();
    const form = section.getByRole('form', { name: 'Enter a carriage' });
    await form.getByLabel('Vehicle (plate)').fill('ta 100 co');
    const loading = form.getByRole('group', { name: 'Loaded', exact: true });
    await loading.getByLabel('Date and time (UTC)').fill(`${FIRST}T17:00`);
    await loading.getByLabel('State').selectOption('D – Germany');
    const unloading = form.getByRole('group', { name: 'Unloaded', exact: true });
    await unloading.getByLabel('Date and time (UTC)').fill(`${FIRST}T16:00`);
    await unloading.getByLabel('State').selectOption('D – Germany');
    await form.getByLabel('Consignment note').fill('CMR 5');
    await form.getByRole('button', { name: 'Enter a carriage' }).click();
    // the unloading is before the loading
    await section.getByRole('alert').waitFor();
    browser.complaints.splice(0);
    await expect.poll(() => form.getByLabel('Consignment note').inputValue()).toBe('CMR 5');
    await unloading.getByLabel('Date and time (UTC)').fill(`${FIRST}T17:30`);
    await form.getByRole('button', { name: 'Enter a carriage' }).click();
    await section.getByText('The carriage is entered.').waitFor();
    const row = section.locator('tbody tr', { hasText: 'CMR 5' });
    await expect.poll(() => row.textContent()).toContain('TA100CO');
    await expect.poll(() => row.textContent()).toContain('17:00–17:30');
    const cabotage = page.getByRole('region', { name: 'Cabotage by vehicle' }).locator('tbody tr');
    await cabotage.nth(4).waitFor();
    await row.getByRole('button', { name: /^Withdraw: TA100CO/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('entered twice');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await row.getByText(/entered twice/).waitFor();
    await cabotage.nth(4).waitFor({ state: 'detached' });
    expect(browser.complaints).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { readPdf } from '../support/documents.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';
import { cardFile, datesFrom, dayOf, longDay, ordinary, type Plan } from '../support/tachograph.ts';

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

describe.skipIf(program === undefined)('the tachograph pages of the console, in a browser', () => {
  let system: System;
  let browser: ConsoleBrowser;
  let driverId: string;

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
    await call(system, 'POST', '/v1/vehicles', { targa: 'TA100CO' });
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  it('stores dropped files, reports each outcome, and creates the driver of an unknown card', async () => {
    const { page } = browser;
    await browser.visit('tachograph/files');
    await page.locator('.drop').waitFor();
    const bytes = Buffer.from(card()).toString('base64');
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob('${bytes}'), (c) => c.charCodeAt(0))], 'card.ddd'));
      data.items.add(new File(['no tachograph file'], 'note.ddd'));
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    })()`);
    const uploads = page.locator('.uploads li');
    await uploads.filter({ hasText: 'card.ddd' }).getByText('stored', { exact: true }).waitFor();
    await uploads.filter({ hasText: 'note.ddd' }).getByText('rejected').waitFor();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'again.ddd', mimeType: 'application/octet-stream', buffer: Buffer.from(card()) });
    await uploads.filter({ hasText: 'again.ddd' }).getByText('already stored').waitFor();
    await browser.picture('tachograph-upload');
    // the browser itself logs the answer 4xx to the rejected file
    browser.complaints.splice(0);
    await page.getByLabel('State').selectOption('waiting');
    await expect.poll(() => new URL(page.url()).search).toBe('?state=waiting');
    await page.getByRole('button', { name: 'Create drivers from these cards' }).click();
    await page.getByText('1 driver created.').waitFor();
    await page.getByLabel('State').selectOption('');
    await page.locator('tbody tr', { hasText: 'analyzed' }).waitFor({ timeout: 60_000 });
    const { items } = await call<{ items: { id: string }[] }>(system, 'GET', '/v1/drivers');
    driverId = items[0]!.id;
  });

  it('lists the signatures of a file', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'card.ddd' }).click();
    await page.getByText('SHA-256').waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(3);
    expect(browser.complaints).toEqual([]);
  });

  it('draws the activities of each day of a driver, and saves them as a document', async () => {
    const { page } = browser;
    await browser.visit(`tachograph/drivers/${driverId}?month=${LONG_DAY.slice(0, 7)}`);
    const bar = page.getByRole('img', { name: new RegExp(`^${LONG_DAY}: Driving 11:20`) });
    await bar.waitFor();
    await expect.poll(() => bar.locator('rect.activity-driving').count()).toBe(3);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Activities: PDF' }).click();
    expect(
      readFileSync(await (await download).path())
        .subarray(0, 4)
        .toString(),
    ).toBe('%PDF');
    await browser.picture('tachograph-calendar');
    expect(browser.complaints).toEqual([]);
  });

  it('issues a letter about selected infringements, which the driver signs', async () => {
    const { page } = browser;
    // a letter has a sender
    await call(system, 'PUT', '/v1/drivers/ddd/settings', { employer: { name: 'Undertaking' } });
    await browser.visit('tachograph/infringements');
    const row = page.locator('tbody tr', { hasText: 'Daily driving time exceeded' });
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Issue letter' }).click();
    await page.getByText(/^Letter to .+ issued\.$/).waitFor();
    await browser.picture('tachograph-infringements');
    await browser.visit('tachograph/letters');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'PDF' }).click();
    expect(
      readFileSync(await (await download).path())
        .subarray(0, 4)
        .toString(),
    ).toBe('%PDF');
    await page.getByRole('button', { name: 'Signed today' }).click();
    await page.locator('.tag', { hasText: 'signed' }).waitFor();
    await browser.visit('tachograph/infringements?status=acknowledged');
    await row.waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('withdraws what the driver decided about a letter, and takes a refusal', async () => {
    const { page } = browser;
    await browser.visit('tachograph/letters');
    await page.getByRole('button', { name: /^Withdraw: / }).click();
    await page.getByRole('button', { name: /^Refused today: / }).click();
    await page.locator('.tag', { hasText: 'refused' }).waitFor();
    await browser.visit('tachograph/letters?state=refused');
    await page.getByRole('button', { name: /^PDF: / }).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('records a refusal with its reason, on another day than today', async () => {
    const { page } = browser;
    await browser.visit('tachograph/letters');
    await page.getByRole('button', { name: /^Withdraw: / }).click();
    await page.getByRole('button', { name: /^Other date or note: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('State').selectOption('refused');
    await dialog.getByLabel('Note').fill('does not agree with the break');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('tbody tr', { hasText: 'does not agree with the break' }).getByText('refused').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('lays a correction over a day, shows it there with author and reason, and revokes it', async () => {
    const { page } = browser;
    await browser.visit(`tachograph/drivers/${driverId}?month=${FIRST.slice(0, 7)}`);
    const corrections = page.getByRole('region', { name: 'Corrections' });
    await corrections.getByText('Add correction').first().click();
    await corrections.getByLabel('From (UTC)').fill(`${FIRST}T05:00`);
    await corrections.getByLabel('Until (UTC)').fill(`${FIRST}T05:30`);
    await corrections.getByLabel('Corrected into').selectOption('rest');
    await corrections.getByLabel('Reason').fill('selector left on other work');
    await corrections.getByRole('button', { name: 'Add correction' }).click();
    const row = corrections.locator('tbody tr', { hasText: 'selector left on other work' });
    await expect.poll(() => row.locator('td').nth(4).textContent()).toMatch(/^Administrator/);
    const tag = page.locator('.calendar li', { hasText: 'corrected 05:00–05:30' });
    await tag.waitFor();
    await expect.poll(() => tag.getByRole('img').getAttribute('aria-label')).toContain('Other work 0:30');
    await browser.picture('tachograph-correction');
    await corrections.getByRole('button', { name: /^Withdraw: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('it was loading after all');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await row.getByText('it was loading after all').waitFor();
    await tag.waitFor({ state: 'detached' });
    expect(browser.complaints).toEqual([]);
  });

  it('issues an attestation, proposes its fields for the next, prints and revokes it', async () => {
    const { page } = browser;
    const employer = { name: 'Undertaking', address: 'Via Roma 1', telephone: '+39 02 1', email: 'a@example.com' };
    await call(system, 'PUT', '/v1/drivers/ddd/settings', { employer });
    await browser.visit(`tachograph/drivers/${driverId}?month=${FIRST.slice(0, 7)}`);
    const attestations = page.getByRole('region', { name: 'Attestations of activities' });
    await attestations.getByText('Issue attestation').first().click();
    const fields = {
      'From (UTC)': `${FIRST}T00:00`,
      'Until (UTC)': `${FIRST}T04:00`,
      Signatory: 'Bianchi Carlo',
      'Position of the signatory': 'Owner',
      'Date of birth of the driver': '1980-02-03',
      'Driving licence or document': 'U1234567X',
      'Employed since': '2020-01-01',
      Place: 'Milan',
    };
    for (const [label, value] of Object.entries(fields)) {
      await attestations.getByLabel(label, { exact: true }).fill(value);
    }
    await attestations.getByLabel('Attested activity').selectOption('annual-leave');
    await attestations.getByRole('button', { name: 'Issue attestation' }).click();
    const row = attestations.locator('tbody tr', { hasText: 'annual leave' });
    await row.waitFor();
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: /^PDF: / }).click();
    const bytes = readFileSync(await (await download).path());
    expect((await readPdf(bytes)).text).toContain('Bianchi Carlo');
    await page.reload();
    await attestations.getByText('Issue attestation').first().click();
    await expect.poll(() => attestations.getByLabel('Signatory', { exact: true }).inputValue()).toBe('Bianchi Carlo');
    await row.getByRole('button', { name: /^Withdraw: / }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('wrong day');
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await row.getByText('wrong day').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('lists notices of all drivers, by kind', async () => {
    const { page } = browser;
    const number = 'I000000022222200';
    const { id } = await call<{ id: string }>(system, 'POST', '/v1/drivers', {
      name: 'Ugo Bianchi',
      cardNumber: number,
    });
    const undeclared: Plan = [...ordinary, ['18:00', 'unknown'], ['20:00', 'rest']];
    const days = datesFrom(FIRST, 2).map((date) => dayOf(date, undeclared));
    const fileBase64 = Buffer.from(cardFile({ number, days, lastDownload: Math.floor(now / 1_000) })).toString(
      'base64',
    );
    await call(system, 'POST', '/v1/drivers/ddd', { fileBase64 });
    await call(system, 'POST', '/v1/drivers/ddd/activities_file', { driverId: id });
    await browser.visit('tachograph/notices?kind=undeclared-activity');
    const rows = page.locator('tbody tr', { hasText: 'Activity with the card withdrawn was not declared' });
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => rows.first().textContent()).toContain('Ugo Bianchi');
    await expect.poll(() => rows.first().textContent()).toContain('2:00');
    await page.getByLabel('Kind').selectOption('late-download');
    await page.getByText(/^There is no notice from/).waitFor();
    await page.getByText('No vehicle was driven without a card in this time.').waitFor();
    await call(system, 'DELETE', `/v1/drivers/${id}`);
    expect(browser.complaints).toEqual([]);
  });

  it('shows what is to be declared, and the cabotage of a vehicle', async () => {
    const { page } = browser;
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
    await browser.visit('tachograph/posting');
    const cabotage = page.getByRole('region', { name: 'Cabotage by vehicle' }).locator('tbody tr');
    await cabotage.first().waitFor();
    await expect.poll(() => cabotage.count()).toBe(4);
    await expect.poll(() => cabotage.nth(3).textContent()).toContain('not allowedmore than three operations');
    const postings = page.getByRole('region', { name: 'Posting declarations (IMI)' }).locator('tbody tr');
    await expect.poll(() => postings.count()).toBe(1);
    await page.getByText(/TA100CO: 0 operations left \(D\)/).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^posting-.*\.csv$/);
    expect(browser.complaints).toEqual([]);
  });

  it('decides about an infringement, and saves the list in each format', async () => {
    const { page } = browser;
    await browser.visit('tachograph/infringements');
    const row = page.locator('tbody tr', { hasText: 'Daily driving time exceeded' });
    await row.getByRole('combobox').selectOption('justified');
    await browser.visit('tachograph/infringements?status=justified');
    await row.waitFor();
    for (const format of ['PDF', 'XLSX', 'CSV']) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: format, exact: true }).click();
      expect((await download).suggestedFilename()).toMatch(new RegExp(`^infringements-.*\\.${format}$`, 'i'));
    }
    expect(browser.complaints).toEqual([]);
  });

  it('saves every document of a driver and of the payroll', async () => {
    const { page } = browser;
    const documents = {
      [`tachograph/drivers/${driverId}?month=${LONG_DAY.slice(0, 7)}`]: [
        ...['PDF', 'XLSX', 'CSV'].flatMap((each) => [`Activities: ${each}`, `Rests: ${each}`]),
        'Roadside check set (ZIP)',
      ],
      [`tachograph/payroll?month=${LONG_DAY.slice(0, 7)}`]: ['PDF', 'XLSX', 'CSV', 'Internal table (XLSX)'],
    };
    for (const [path, names] of Object.entries(documents)) {
      await browser.visit(path);
      await page.locator('main[data-busy=false]').waitFor();
      for (const name of names) {
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name, exact: true }).click();
        expect(readFileSync(await (await download).path()).length, name).toBeGreaterThan(50);
      }
    }
    expect(browser.complaints).toEqual([]);
  });

  it('shows what drivers may still drive, and which downloads are due', async () => {
    const { page } = browser;
    await browser.visit('tachograph');
    const residual = page.getByRole('region', { name: 'Remaining driving times' }).locator('tbody tr');
    await residual.first().waitFor();
    const { items } = await call<{ items: { weekly: { remainingS: number } }[] }>(system, 'GET', '/v1/drivers/plafond');
    const minutes = Math.round(items[0]!.weekly.remainingS / 60);
    const weekly = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
    await expect.poll(() => residual.first().locator('td').nth(4).textContent()).toBe(weekly);
    await page.getByRole('region', { name: 'Downloads of driver cards' }).getByText('in order').waitFor();
    await page.getByRole('region', { name: 'Downloads of vehicle units' }).getByText('never downloaded').waitFor();
  });

  it('shows the state of the remote download of each card and vehicle', async () => {
    const { page } = browser;
    const units = page.getByRole('region', { name: 'Downloads of vehicle units' });
    await browser.visit('tachograph');
    await page.getByRole('region', { name: 'Downloads of driver cards' }).getByText('not scheduled').waitFor();
    await units.getByText('not scheduled').waitFor();
    const schedule = { targa: 'TA100CO', everyDays: 60 };
    const { id } = await call<{ id: string }>(system, 'PUT', '/v1/drivers/ddd/remote', schedule);
    await call(system, 'POST', `/v1/drivers/ddd/remote/${id}/request`);
    await browser.visit('tachograph');
    await units.getByText('failed', { exact: true }).waitFor();
    await units.getByText('every 60 days').waitFor();
    await units.getByText('no device is paired').waitFor();
  });

  it('schedules the remote download of a vehicle, and cancels it', async () => {
    const { page } = browser;
    const units = page.getByRole('region', { name: 'Downloads of vehicle units' });
    await browser.visit('tachograph');
    await units.getByText('Schedule', { exact: true }).click();
    await units.getByLabel('Every how many days: TA100CO').fill('30');
    await units.getByRole('button', { name: 'Save' }).click();
    await units.getByText('every 30 days').waitFor();
    await units.getByRole('button', { name: 'Cancel' }).click();
    await units.getByText('not scheduled').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('shows the month of a driver for the payroll', async () => {
    const { page } = browser;
    await browser.visit(`tachograph/payroll?month=${LONG_DAY.slice(0, 7)}`);
    await page.getByText('Each day').click();
    const row = page.locator('tbody tr', { hasText: LONG_DAY });
    await expect.poll(() => row.locator('td').nth(4).textContent()).toBe('11:20');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(LONG_DAY.slice(0, 4));
  });

  it('changes the settings of analyses and payroll, and keeps what the form does not have', async () => {
    const { page } = browser;
    const path = '/v1/drivers/ddd/settings';
    const costs = { currency: 'EUR', ordinaryHour: 20, overtimeHour: 25, nightHour: 5, km: 0.1 };
    await call(system, 'PUT', path, { costs });
    await browser.visit('tachograph/settings');
    await page.getByLabel('Name', { exact: true }).fill('Trasporti Bianchi S.r.l.');
    await page.getByLabel('VAT number').fill('IT01234567890');
    await page.getByLabel('State of residence of the drivers').selectOption({ label: 'RO – Romania' });
    await page.getByLabel('Operating centers').fill('45.4642, 9.19\n44.4949 11.3426\n');
    await page.getByLabel('Ordinary hours of a week').fill('47:00');
    await page.getByLabel('Night work to').fill('23:59');
    await page.getByLabel('Further holidays').fill('06-24, 2026-12-07');
    await page.locator('main').getByLabel('Time zone').fill('Europe/Nowhere');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    // the browser itself logs the answer 400
    browser.complaints.splice(0);
    await expect.poll(() => page.getByLabel('VAT number').inputValue()).toBe('IT01234567890');
    await page.locator('main').getByLabel('Time zone').fill('Europe/Bucharest');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. All drivers are analyzed again.').waitFor();
    expect(await call(system, 'GET', path)).toMatchObject({
      employer: { name: 'Trasporti Bianchi S.r.l.', vatNumber: 'IT01234567890', address: '' },
      residence: 0x29,
      homeNation: 0x1a,
      bases: [
        { latitude: 45.4642, longitude: 9.19 },
        { latitude: 44.4949, longitude: 11.3426 },
      ],
      weeklyMinutes: 2_820,
      night: { from: 0, to: 1_440 },
      holidays: ['06-24', '2026-12-07'],
      zone: 'Europe/Bucharest',
      costs,
    });
    expect(browser.complaints).toEqual([]);
  });

  it('has no serious accessibility finding, in light and dark', () =>
    browser.review({
      'tachograph-board': 'tachograph',
      'tachograph-files': 'tachograph/files',
      'tachograph-driver': `tachograph/drivers/${driverId}?month=${LONG_DAY.slice(0, 7)}`,
      'tachograph-found': 'tachograph/infringements',
      'tachograph-letters': 'tachograph/letters',
      'tachograph-notices': 'tachograph/notices',
      'tachograph-posting': 'tachograph/posting',
      'tachograph-settings': 'tachograph/settings',
      'tachograph-payroll': `tachograph/payroll?month=${LONG_DAY.slice(0, 7)}`,
    }));
});

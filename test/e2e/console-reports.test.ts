import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { needs } from '../support/programs.ts';
import { type Mailbox, startMailbox } from '../support/smtp.ts';
import { type System, startSystem } from '../support/system.ts';

const program = needs('chromium');

describe.skipIf(program === undefined)('the page of scheduled reports, in a browser', () => {
  let system: System;
  let browser: ConsoleBrowser;
  let mailbox: Mailbox;

  beforeAll(async () => {
    mailbox = await startMailbox();
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD, SMTP_URL: mailbox.url, MAIL_FROM: 'fleet@example.org' });
    await call(system, 'POST', '/v1/vehicles', { targa: 'RE100PO' });
    browser = await ConsoleBrowser.open(program!, system);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
    await mailbox?.close();
  });

  it('schedules a report, sends it now, and sends again what the mail server has refused', async () => {
    const { page } = browser;
    mailbox.refusal = 552;
    await browser.visit('reports');
    const form = page.getByRole('form', { name: 'Schedule report' });
    await form.getByLabel('Name').fill('Due downloads');
    await form.getByLabel('Content').selectOption('download-deadlines');
    await form.getByLabel('When').selectOption('month');
    await form.getByLabel('Recipients').fill('anna@example.org');
    await form.getByRole('button', { name: 'Schedule report' }).click();
    await page.getByText('The report is scheduled.').waitFor();
    await page.getByRole('button', { name: 'Send now: Due downloads' }).click();
    const runs = page.getByRole('region', { name: 'Sent reports' });
    await runs.locator('tbody tr .tag', { hasText: 'failed' }).waitFor();
    await browser.picture('reports');
    mailbox.refusal = undefined;
    await runs.getByRole('button', { name: 'Send again' }).click();
    await runs.locator('tbody tr .tag', { hasText: 'sent' }).waitFor();
    await vi.waitFor(() => expect(mailbox.mails[0]?.subject).toContain('Due downloads: Download deadlines'), {
      timeout: 60_000,
      interval: 100,
    });
    expect(browser.complaints).toEqual([]);
  });

  it('pauses a schedule, resumes it, and removes it after a confirmation', async () => {
    const { page } = browser;
    await browser.visit('reports');
    const schedule = page.locator('tbody tr', { has: page.getByRole('button', { name: 'Send now: Due downloads' }) });
    await page.getByRole('button', { name: 'Pause: Due downloads' }).click();
    await schedule.getByText('paused').waitFor();
    await page.getByRole('button', { name: 'Resume: Due downloads' }).click();
    await page.getByRole('button', { name: 'Pause: Due downloads' }).waitFor();
    await page.getByRole('button', { name: 'Remove: Due downloads' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await schedule.waitFor({ state: 'detached' });
    expect(browser.complaints).toEqual([]);
  });

  it('has no serious accessibility finding, in light and dark', () => browser.review({ reports: 'reports' }));
});

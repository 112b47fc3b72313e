import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/platform/clock.ts';
import { createMailer, type Mailer } from '../../../src/platform/mail.ts';
import { untilAnalysed } from '../../support/analysed.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { readPdf, readXlsx } from '../../support/documents.ts';
import { type Mailbox, startMailbox } from '../../support/smtp.ts';
import { cardFile, datesFrom, dayOf, longDay, ordinary, secondsOf } from '../../support/tachograph.ts';

/** Wednesday; the week before it is 2026-03-25 to 2026-03-31 */
const NOW = Date.parse('2026-04-01T10:00:00Z');
const WAIT = { timeout: 60_000, interval: 100 };
const schedule = {
  name: 'Weekly report',
  kind: 'trips',
  format: 'xlsx',
  every: 'week',
  day: 1,
  hour: 6,
  zone: 'Europe/Rome',
  language: 'en',
  recipients: ['anna@example.org', 'bruno@example.org'],
};

let api: RunningApi;
let mailbox: Mailbox;
let mailer: Mailer;
let now = NOW;

beforeAll(async () => {
  mailbox = await startMailbox();
  mailer = createMailer(mailbox.url, 'fleet@example.org');
  const clock = { ...systemClock, now: () => now };
  api = await withDatabase((url) =>
    startApi(url, { REPORT_SCHEDULES_PER_TENANT: 6 }, { clock, sendMail: (mail) => mailer.send(mail) }),
  );
  await api.send('POST', '/v1/vehicles', { targa: 'RS001AA' });
  await api.send('POST', '/v1/devices', { imei: 'report-1' });
  await api.send('POST', '/v1/pairings', { targa: 'RS001AA', imei: 'report-1', from: '2026-03-01T00:00:00Z' });
  const start = Date.parse('2026-03-26T08:00:00Z');
  const positions = Array.from({ length: 90 }, (_, n) => ({
    imei: 'report-1',
    fixTime: new Date(start + n * 60_000).toISOString(),
    valid: true,
    latitude: 45.4 + (n < 60 ? n : 60) / 100,
    longitude: 9.1,
    speed: n < 60 ? 66 : 0,
    attributes: { ignition: n < 60 },
  }));
  expect((await api.send('POST', '/v1/positions', { positions })).body.rejected).toEqual([]);
});
afterAll(async () => {
  await api?.stop();
  mailer?.close();
  await mailbox?.close();
  await dropDatabases();
});

/** Creates a schedule and sends its report; the mail, once it has arrived. */
async function sendNow(over: object) {
  const made = await api.send('POST', '/v1/report-schedules', { ...schedule, ...over });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const before = mailbox.mails.length;
  const run = await api.send('POST', `/v1/report-schedules/${made.body.id}/run`);
  expect(run.status, JSON.stringify(run.body)).toBe(200);
  return {
    id: made.body.id as string,
    runId: run.body.id as string,
    run: run.body,
    mail: () =>
      vi.waitFor(() => {
        expect(mailbox.mails.length).toBeGreaterThan(before);
        return mailbox.mails[before]!;
      }, WAIT),
  };
}

const untilState = (scheduleId: string, state: string) =>
  vi.waitFor(async () => {
    const { items } = (await api.get(`/v1/report-runs?schedule_id=${scheduleId}`)).body;
    expect(items[0]).toMatchObject({ state });
    return items[0];
  }, WAIT);

test('trips of a week arrive as a spreadsheet at every recipient', async () => {
  const { id, run, mail } = await sendNow({});
  expect(run).toMatchObject({ from: '2026-03-25', to: '2026-03-31', kind: 'trips' });
  const received = await mail();
  expect(received.subject).toBe('Weekly report: Trips, 2026-03-25 – 2026-03-31');
  expect([received.to].flat().flatMap((to) => to?.value.map(({ address }) => address) ?? [])).toEqual(
    schedule.recipients,
  );
  const [attachment] = received.attachments;
  expect(attachment).toMatchObject({ filename: 'trips_2026-03-25_2026-03-31.xlsx' });
  const text = JSON.stringify(await readXlsx(attachment!.content));
  expect(text).toContain('RS001AA');
  expect(text).toContain('By vehicle');
  // 59 steps of a hundredth of a degree of latitude
  expect(text).toMatch(/6[5-7](\.\d)?/);
  await untilState(id, 'sent');
});

test('infringements of a month arrive as PDF in the language of the schedule', async () => {
  const { id: driverId } = (await api.send('POST', '/v1/drivers', { name: 'Rossi', cardNumber: 'I000000012345600' }))
    .body;
  const days = datesFrom('2026-03-02', 3).map((date) => dayOf(date, date === '2026-03-03' ? longDay : ordinary));
  const bytes = cardFile({ days, lastDownload: secondsOf('2026-03-05T20:00:00Z') });
  const { fileId } = (await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') }))
    .body;
  await untilAnalysed(api, fileId);
  expect(driverId).toBeDefined();
  const wanted = { kind: 'infringements', format: 'pdf', every: 'month', language: 'it' };
  const { mail } = await sendNow(wanted);
  const received = await mail();
  expect(received.subject).toContain('Infrazioni, 2026-03-01 – 2026-03-31');
  const text = JSON.stringify(await readPdf(received.attachments[0]!.content));
  expect(text).toContain('Periodo di guida giornaliero');
});

test('fuel and download deadlines are sent too', async () => {
  const fuel = await (await sendNow({ kind: 'fuel' })).mail();
  expect(JSON.stringify(await readXlsx(fuel.attachments[0]!.content))).toContain('RS001AA');
  const due = await (await sendNow({ kind: 'download-deadlines' })).mail();
  const text = JSON.stringify(await readXlsx(due.attachments[0]!.content));
  expect(text).toContain('Rossi');
  expect(text).toContain('never downloaded');
});

test('what a mail server refuses for good fails, and is sent again when asked', async () => {
  mailbox.refusal = 552;
  const { id, runId, mail } = await sendNow({ name: 'Refused' });
  expect(await untilState(id, 'failed')).toMatchObject({ problem: expect.stringContaining('refused'), attempts: 1 });
  mailbox.refusal = undefined;
  // the worker may have taken it already
  expect((await api.send('POST', `/v1/report-runs/${runId}/retry`)).body).toMatchObject({ id: runId, kind: 'trips' });
  expect((await mail()).messageId).toBe(`<${runId}@fleetgate>`);
  await untilState(id, 'sent');
  expect((await api.send('POST', `/v1/report-runs/${runId}/retry`)).body).toMatchObject({
    status: 409,
    code: 'conflict',
  });
});

test('what a mail server refuses for the moment waits for another attempt', async () => {
  mailbox.refusal = 451;
  const { id } = await sendNow({ name: 'Delayed' });
  const run = await vi.waitFor(async () => {
    const [item] = (await api.get(`/v1/report-runs?schedule_id=${id}`)).body.items;
    expect(item).toMatchObject({ state: 'waiting', attempts: 1, problem: expect.stringContaining('refused') });
    return item;
  }, WAIT);
  expect(run.nextAt).not.toBeNull();
  mailbox.refusal = undefined;
  await api.send('DELETE', `/v1/report-schedules/${id}`);
  expect((await api.get(`/v1/report-schedules/${id}`)).body).toMatchObject({ status: 404, code: 'unknown-report' });
});

test('a schedule is changed and limited, and its owner needs the permissions of its contents', async () => {
  const [first] = (await api.get('/v1/report-schedules?limit=1')).body.items;
  const changed = await api.send('PATCH', `/v1/report-schedules/${first.id}`, {
    active: false,
    recipients: ['c@example.org'],
  });
  expect(changed.body).toMatchObject({ active: false, nextAt: null, recipients: ['c@example.org'], kind: first.kind });
  expect((await api.send('PATCH', `/v1/report-schedules/${first.id}`, { every: 'week', day: 9 })).status).toBe(422);
  const created = await Promise.all(
    Array.from({ length: 3 }, () => api.send('POST', '/v1/report-schedules', schedule).then(({ status }) => status)),
  );
  expect(created).toContain(409);
  const { key } = (await api.send('POST', '/v1/keys', { name: 'weak', scopes: ['notifications:write'] })).body;
  const refused = await api.send('POST', '/v1/report-schedules', schedule, { authorization: `Bearer ${key}` });
  expect(refused.body).toMatchObject({ status: 403, code: 'missing-scope' });
});

test('what is due is entered once, and the next date with it', async () => {
  const { items } = (await api.get('/v1/report-schedules?limit=100')).body;
  const due = items.find(({ active, every }: { active: boolean; every: string }) => active && every === 'week');
  now = Date.parse(due.nextAt);
  // wakes the worker
  await api.send('POST', `/v1/report-schedules/${due.id}/run`);
  const runs = await vi.waitFor(async () => {
    const found = (await api.get(`/v1/report-runs?schedule_id=${due.id}&state=sent`)).body.items;
    const entered = found.filter(({ from }: { from: string }) => from === '2026-03-30');
    expect(entered.length).toBe(2);
    return entered;
  }, WAIT);
  expect(runs[0].to).toBe('2026-04-05');
  expect((await api.get(`/v1/report-schedules/${due.id}`)).body.nextAt).toBe('2026-04-13T04:00:00Z');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { cardFile, datesFrom, dayOf, type Plan, secondsOf } from '../../../support/tachograph.ts';

let api: RunningApi;
let driverId: string;

/** 10 h 20: five of them are 51:40. */
const long: Plan = [
  ['05:00', 'work'],
  ['07:00', 'driving'],
  ['11:00', 'rest'],
  ['11:45', 'driving'],
  ['16:05', 'rest'],
];
const LEAVE = { first: '2026-02-02', last: '2026-03-08' };
const isWorked = (date: string): boolean =>
  ![0, 6].includes(new Date(date).getUTCDay()) && (date < LEAVE.first || date > LEAVE.last);

beforeAll(async () => {
  const clock = { now: () => Date.parse('2026-05-02T10:00:00Z'), monotonic: () => performance.now() };
  api = await withDatabase((url) => startApi(url, {}, { clock }));
  driverId = (await api.send('POST', '/v1/drivers', { name: 'Ugo', cardNumber: 'I000000012345600' })).body.id;
  const days = datesFrom('2026-01-01', 121).map((date) => dayOf(date, isWorked(date) ? long : [['00:00', 'rest']]));
  const bytes = cardFile({ days, lastDownload: secondsOf('2026-05-01T23:59:00Z') });
  await api.send('POST', '/v1/drivers/ddd', { fileBase64: Buffer.from(bytes).toString('base64') });
  const employer = { name: 'Rossi S.r.l.', address: 'Via Roma 1', telephone: '+39 02 1', email: 'info@rossi.example' };
  await api.send('PUT', '/v1/drivers/ddd/settings', { employer, zone: 'Europe/Rome' });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

/** After the pending analysis, which a payroll report waits for. */
async function march() {
  const asked = { drivers: [driverId], month: '2026-03', format: 'json' };
  const { body: lul } = await api.send('POST', '/v1/drivers/ddd/lul_internal_file', asked);
  const { body } = await api.get(`/v1/drivers/ddd/infringements?driver_id=${driverId}&rule=T48`);
  return { lul: lul.items[0], found: body.items };
}
const enter = (more: object = {}) =>
  api.send('POST', '/v1/drivers/ddd/absences', {
    driverId,
    kind: 'annual-leave',
    from: LEAVE.first,
    to: LEAVE.last,
    ...more,
  });

test('days of leave are neutral in the average of 48 hours, and are named in payroll', async () => {
  const before = await march();
  expect(before.found).toEqual([]);
  const { status, body } = await enter();
  expect(status).toBe(200);
  expect(body).toMatchObject({ driverId, kind: 'annual-leave', code: 'FE', from: LEAVE.first, to: LEAVE.last });
  const { lul, found } = await march();
  expect(found).toMatchObject([{ rule: 'T48', from: '2026-01-01T00:00:00Z', limit: 2_880 }]);
  expect(found[0].measured).toBeGreaterThan(2_880);
  const absent = lul.days.filter(({ absence }: { absence: string | null }) => absence !== null);
  expect(absent.map(({ date }: { date: string }) => date)).toEqual(datesFrom('2026-03-01', 8));
  expect(new Set(absent.map(({ absence }: { absence: string }) => absence))).toEqual(new Set(['FE']));
  expect(lul.fourMonths.meanWeeklyMin).toBeGreaterThan(before.lul.fourMonths.meanWeeklyMin);
  expect((await enter({ from: '2026-03-08', to: '2026-03-09' })).body.code).toBe('absence-overlaps');

  const revoke = `/v1/drivers/ddd/absences/${body.id}/revoke`;
  expect((await api.send('POST', revoke, { reason: 'Entered for the wrong driver' })).status).toBe(200);
  expect((await march()).found).toEqual([]);
  const { items } = (await api.get(`/v1/drivers/ddd/absences?driver_id=${driverId}`)).body;
  expect(items).toMatchObject([{ id: body.id, revokedReason: 'Entered for the wrong driver' }]);
});

test('a week of which the working days are absence is neutral as a whole, and a day with work is not', async () => {
  const weeks = datesFrom(LEAVE.first, 35).filter((date) => new Date(date).getUTCDay() === 1);
  const ids: string[] = [];
  for (const monday of weeks) {
    const { body } = await enter({ kind: 'sick-leave', code: 'M1', from: monday, to: datesFrom(monday, 5)[4] });
    ids.push(body.id);
  }
  // the driver worked on this day: it counts
  ids.push((await enter({ kind: 'rest-in-lieu', from: '2026-03-10', to: '2026-03-10' })).body.id);
  const { lul, found } = await march();
  expect(found).toHaveLength(1);
  const codeOn = (date: string) => lul.days.find((day: { date: string }) => day.date === date).absence;
  expect([codeOn('2026-03-06'), codeOn('2026-03-07'), codeOn('2026-03-10')]).toEqual(['M1', null, null]);
  for (const id of ids) await api.send('POST', `/v1/drivers/ddd/absences/${id}/revoke`, { reason: 'End of the test' });
  expect((await march()).found).toEqual([]);
});

test('an attestation of leave counts as an absence, until it is revoked, and takes its interval from one', async () => {
  const form = {
    driverId,
    signatory: { name: 'Bianchi Anna', position: 'Operations manager' },
    driver: { birthDate: '1980-02-03', document: 'U1234567X', employedSince: '2019-09-01' },
    place: 'Milano',
    lang: 'it',
  };
  const absence = (await enter()).body;
  const { body } = await api.send('POST', '/v1/drivers/ddd/attestations', { ...form, absenceId: absence.id });
  expect(body).toMatchObject({
    activity: 'annual-leave',
    from: '2026-02-01T23:00:00Z',
    to: '2026-03-08T23:00:00Z',
  });
  await api.send('POST', `/v1/drivers/ddd/absences/${absence.id}/revoke`, { reason: 'The attestation says it' });
  expect((await march()).found).toHaveLength(1);
  await api.send('POST', `/v1/drivers/ddd/attestations/${body.id}/revoke`, { reason: 'Wrong' });
  expect((await march()).found).toEqual([]);
  const neither = await api.send('POST', '/v1/drivers/ddd/attestations', form);
  expect(neither.body.code).toBe('invalid');
  const unknown = await api.send('POST', '/v1/drivers/ddd/attestations', { ...form, absenceId: 'abs_none' });
  expect(unknown.body.code).toBe('unknown-absence');
});

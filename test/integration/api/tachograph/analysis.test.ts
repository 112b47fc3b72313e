import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryAsTenant } from '../../../../src/server/database/index.ts';
import { untilAnalysed } from '../../../support/analysed.ts';
import { API_KEY, type RunningApi, startApi } from '../../../support/api.ts';
import { dropDatabases, withDatabase } from '../../../support/databases.ts';
import { unzip } from '../../../support/documents.ts';
import {
  cardFile,
  datesFrom,
  dayOf,
  insertion,
  longDay,
  ordinary,
  secondsOf,
  unitDay,
  unitFile,
  use,
} from '../../../support/tachograph.ts';

const NOW = Date.parse('2026-04-20T12:00:00Z');
const SURNAME = 'Quattrocchi';
const logged: string[] = [];
let api: RunningApi;
let driverId: string;

const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  }),
);

/** 11 h 20 of driving on the second day. */
const week = (first: string, number = 'I000000012345600'): Uint8Array =>
  cardFile({
    number,
    surname: SURNAME,
    days: datesFrom(first, 5).map((date, i) => dayOf(date, i === 1 ? longDay : ordinary)),
    lastDownload: secondsOf(`${datesFrom(first, 5)[4]}T20:00:00Z`),
    vehicles: [use('FG 123 HI', `${first}T05:00:00Z`, `${first}T15:15:00Z`, [1_000, 1_400])],
  });

const base64 = (bytes: Uint8Array) => ({ fileBase64: Buffer.from(bytes).toString('base64') });
const upload = async (bytes: Uint8Array) => (await api.send('POST', '/v1/drivers/ddd', base64(bytes))).body;

async function sendForm(path: string, files: readonly (readonly [name: string, bytes: Uint8Array])[], fields = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries<string>(fields)) form.append(name, value);
  for (const [name, bytes] of files) form.append('files[]', new Blob([bytes]), name);
  const headers = { authorization: `Bearer ${API_KEY}` };
  const response = await fetch(api.url + path, { method: 'POST', body: form, headers });
  return { status: response.status, body: await response.json() } as Awaited<ReturnType<RunningApi['get']>>;
}

beforeAll(async () => {
  const clock = { now: () => NOW, monotonic: () => performance.now() };
  api = await withDatabase((url) => startApi(url, {}, { clock, log }));
  driverId = (await api.send('POST', '/v1/drivers', { name: `Ugo ${SURNAME}`, cardNumber: 'I000000012345600' })).body
    .id;
  await api.send('POST', '/v1/vehicles', { targa: 'FG123HI' });
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const ANALYSE = '/v1/drivers/ddd/files/analize_save';
const infringements = async (query = '') =>
  (await api.get(`/v1/drivers/ddd/infringements?driver_id=${driverId}${query}`)).body;

describe('analyse and save', () => {
  test('keeps nothing of a dry run', async () => {
    const { body } = await sendForm(ANALYSE, [['march.ddd', week('2026-03-02')]], { save: 'false' });
    expect(body.results).toMatchObject([
      { fileId: null, outcome: 'rehearsed', days: 5, infringements: expect.any(Number), warnings: [] },
    ]);
    expect(body.results[0].infringements).toBeGreaterThan(0);
    expect((await api.get('/v1/drivers/ddd/files')).body.items).toEqual([]);
    expect((await infringements()).items).toEqual([]);
  });

  test('stores the files, and reports the result of each', async () => {
    const { status, body } = await sendForm(ANALYSE, [
      ['march.ddd', week('2026-03-02')],
      ['nothing.txt', Buffer.from('nothing')],
      ['unknown.ddd', week('2026-03-02', 'I777777712345600')],
    ]);
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { outcome: 'analysed', driverId, days: 5, duplicate: false },
      { outcome: 'rejected', fileId: null, warnings: [{ code: 'not-a-ddd' }] },
      { outcome: 'waiting', driverId: null, days: 5, infringements: 0 },
    ]);
    expect((await infringements()).items).toHaveLength(body.results[0].infringements);
  });

  test('changes nothing where it is done again, and keeps what people have said', async () => {
    const before = await infringements();
    const [first] = before.items;
    const said = { status: 'justified', note: 'closed road' };
    await api.send('PATCH', `/v1/drivers/ddd/infringements/${first.id}`, said);
    const { items } = (await api.get(`/v1/drivers/ddd/files?driver_id=${driverId}`)).body;
    const again = await api.send('POST', '/v1/drivers/ddd/files/analyze_save', { fileIds: [items[0].fileId] });
    expect(again.body.results[0]).toMatchObject({ outcome: 'analysed', infringements: before.items.length });
    const after = await infringements();
    expect(after.items).toEqual(
      before.items.map((each: { id: string }) => (each.id === first.id ? { ...each, ...said } : each)),
    );
    expect((await api.send('PATCH', '/v1/drivers/ddd/infringements/none', said)).body.code).toBe(
      'unknown-infringement',
    );
  });

  test('is repeated where it was made by an earlier version of the rules, and not by a later one', async () => {
    const number = 'I777777700000100';
    const other = (await api.send('POST', '/v1/drivers', { name: 'Other', cardNumber: number })).body.id;
    await untilAnalysed(api, (await upload(week('2026-03-02', number))).fileId);
    const versions = async (): Promise<Record<string, string>> => {
      const { rows } = await api.database.ingest.query<{ id: string; version: string }>(
        'select driver_id as id, engine_version as version from driver_analysis',
      );
      return Object.fromEntries(rows.map(({ id, version }) => [id, version]));
    };
    const current = (await versions())[other]!;
    const set = 'update driver_analysis set engine_version = $2 where driver_id = $1';
    // by number: 1.0.10 is older than 1.1.0, and 999 is newer
    await api.database.ingest.query(set, [driverId, '999.10.0']);
    await api.database.ingest.query(set, [other, '1.0.10']);
    // any upload wakes the analysis
    await upload(week('2026-03-02', 'I777777700000200'));
    await expect.poll(async () => (await versions())[other], { timeout: 60_000 }).toBe(current);
    expect((await versions())[driverId]).toBe('999.10.0');
    await api.database.ingest.query(set, [driverId, current]);
    await api.send('DELETE', `/v1/drivers/${other}`);
  });

  test('takes at most 50 files, and reports missing ones', async () => {
    const many = Array.from({ length: 51 }, (_, i) => `ddd_${i}`);
    expect((await api.send('POST', ANALYSE, { fileIds: many })).body).toMatchObject({ status: 413, code: 'too-large' });
    expect((await api.send('POST', ANALYSE, { fileIds: ['ddd_none'] })).body.code).toBe('unknown-file');
    const files = Array.from({ length: 51 }, (_, i) => [`${i}.ddd`, Buffer.from('x')] as const);
    expect((await sendForm(ANALYSE, files)).body).toMatchObject({ status: 413, code: 'too-large' });
  });
});

describe('infringements', () => {
  test('have rule, article, severity and measure, and are found by each of them', async () => {
    const { items, totals } = await infringements();
    const driving = items.find(({ rule }: { rule: string }) => rule === 'D1');
    expect(driving).toMatchObject({
      driverId,
      article: '561/2006 6(1)',
      severity: 'SI',
      measured: 680,
      limit: 600,
      delta: 80,
      from: '2026-03-03T04:00:00Z',
      italian: { law: 'cds-174', comma: '5', band: 'b' },
    });
    expect(totals.count).toBe(items.length);
    expect(
      (await infringements('&severity=SI')).items.every((each: { severity: string }) => each.severity === 'SI'),
    ).toBe(true);
    expect((await infringements('&rule=D1')).items).toEqual([driving]);
    expect((await infringements('&to=2026-03-01')).items).toEqual([]);
    expect((await infringements('&from=2026-03-03&to=2026-03-03')).items).toContainEqual(driving);
  });

  test('come in pages', async () => {
    await upload(week('2026-03-16')).then(({ fileId }) => untilAnalysed(api, fileId));
    const { items } = await infringements();
    expect(items.length).toBeGreaterThan(1);
    const seen: unknown[] = [];
    for (let cursor = ''; ; ) {
      const page = await infringements(`&limit=1${cursor}`);
      seen.push(...page.items);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(items);
    expect((await api.get(`/v1/drivers/ddd/infringements?cursor=x`)).body.code).toBe('bad-cursor');
  });
});

describe('the newest downloads', () => {
  test('of drivers count 28 days down, those of vehicles 90', async () => {
    const unit = await upload(unitFile({ plate: 'FG 123 HI', now: '2026-01-15T10:00:00Z' }));
    await api.send('POST', '/v1/vehicles', { targa: 'ZZ999ZZ' });
    const drivers = (await api.get('/v1/drivers/ddd/me')).body;
    expect(drivers.items).toMatchObject([
      {
        driverId,
        cardNumber: 'I000000012345600',
        downloadedAt: '2026-03-20T20:00:00Z',
        status: 'overdue',
        dueAt: '2026-04-17T20:00:00Z',
        daysLeft: -3,
        lastActivityDay: '2026-03-20',
        missingDays: 9,
      },
    ]);
    expect(drivers.overdue).toEqual([{ driverId, dueAt: '2026-04-17T20:00:00Z' }]);
    const vehicles = (await api.get('/v1/vehicles/ddd/me')).body;
    expect(vehicles.items).toMatchObject([
      { targa: 'FG123HI', fileId: unit.fileId, dueAt: '2026-04-15T10:00:00Z', status: 'overdue', daysLeft: -6 },
      { targa: 'ZZ999ZZ', fileId: null, status: 'never', dueAt: null },
    ]);
    expect(vehicles.overdue).toEqual([{ targa: 'FG123HI', dueAt: '2026-04-15T10:00:00Z' }]);
  });

  test('are those of the vehicles that a user sees', async () => {
    const user = { username: 'paolo', role: 'viewer', allVehicles: false, targhe: ['ZZ999ZZ'] };
    await api.send('POST', '/v1/users', user);
    const { items } = (await api.get('/v1/vehicles/ddd/paolo')).body;
    expect(items.map(({ targa }: { targa: string }) => targa)).toEqual(['ZZ999ZZ']);
    expect((await api.get('/v1/drivers/ddd/paolo')).body.items).toEqual([]);
    expect((await api.get('/v1/drivers/ddd/nobody')).body.code).toBe('unknown-user');
  });
});

describe('a ZIP for inspectors', () => {
  const download = async (body: object, path = 'download_zip') => {
    const response = await fetch(`${api.url}/v1/drivers/ddd/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    });
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  };

  test('holds the bytes as they came, and a manifest', async () => {
    const stored = (await api.get('/v1/drivers/ddd/files?limit=500')).body.items;
    const { response, bytes } = await download({ drivers: [driverId], vehicles: ['fg 123-hi'], naming: 'standard' });
    expect(response.headers.get('content-type')).toBe('application/zip');
    const entries = await unzip(bytes);
    const manifest = parse(entries.get('manifest.csv')!, { columns: true }) as Record<string, string>[];
    expect(manifest).toHaveLength(3);
    for (const row of manifest) {
      const hash = createHash('sha256').update(entries.get(row['name']!)!).digest('hex');
      expect(hash).toBe(row['sha256']);
      expect(stored.find(({ fileId }: { fileId: string }) => fileId === row['file_id'])).toMatchObject({
        sha256: hash,
      });
    }
    expect(manifest.map(({ name }) => name)).toContain('C_20260306_2000_I000000012345600.ddd');
    expect(manifest.map(({ name }) => name)).toContain('M_20260115_1000_FG123HI_ZCFC1234567890123.ddd');
    expect(JSON.stringify(manifest)).not.toContain(SURNAME);
    // the first column by its name: without a byte order mark, unless a spreadsheet is to read it
    expect(entries.get('manifest.csv')!.subarray(0, 13).toString()).toBe('name,file_id,');
    const italian = await unzip((await download({ drivers: [driverId], lang: 'it' })).bytes);
    expect(italian.get('manifest.csv')!.subarray(0, 16).toString()).toBe('\ufeffname;file_id;');
    const misspelt = await download(
      { drivers: [driverId], from: '2026-03-10', to: '2026-03-31' },
      'donwload_file_ddd_zip',
    );
    expect((await unzip(misspelt.bytes)).size).toBe(2);
    const { items } = (await api.get('/v1/audit?action=ddd.zip')).body;
    expect(items[0].after.files).toHaveLength(3);
  });

  test('has the names that a country expects', async () => {
    const names = async (naming: string) =>
      [...(await unzip((await download({ drivers: [driverId], vehicles: ['FG123HI'], naming })).bytes)).keys()].sort();
    const french = await names('c1b-v1b');
    // arrêté du 6 juillet 2005 (EQUT0500817A), article 2: 27 and 26 characters
    expect(french).toContain('I__I00000001234562603062000.C1B');
    expect(french).toContain('I__FG_123_HI____2601151000.V1B');
    const spanish = await names('tgd');
    expect(spanish).toContain('C_I000000012345600_E_20260306_2000.TGD');
    expect(spanish).toContain('V_FG123HI_E_20260115_1000.TGD');
  });

  test('for the roadside holds card, units and activities of 56 days', async () => {
    const { response, bytes } = await download({ driverId, date: '2026-03-06' }, 'roadside_set');
    expect(response.status).toBe(200);
    const entries = await unzip(bytes);
    // the language of the set is Italian unless another is asked for
    const read = { columns: true, bom: true, delimiter: ';' } as const;
    const manifest = parse(entries.get('manifest.csv')!, read) as Record<string, string>[];
    expect(manifest.map(({ kind }) => kind)).toContain('driver-card');
    expect(manifest.every(({ to }) => to === '' || to! >= '2026-01-09')).toBe(true);
    // files and documents, and nothing else
    expect(manifest.map(({ name }) => name).sort()).toEqual(
      [...entries.keys()].filter((name) => name !== 'manifest.csv').sort(),
    );
    for (const { name, sha256, bytes: size } of manifest) {
      const content = entries.get(name!)!;
      expect([createHash('sha256').update(content).digest('hex'), String(content.length)]).toEqual([sha256, size]);
    }
    expect(entries.get('activities.pdf')!.subarray(0, 5).toString()).toBe('%PDF-');
    const rows = parse(entries.get('activities.csv')!, read) as Record<string, string>[];
    expect(rows).toHaveLength(57);
    const early = await download({ driverId, date: '2020-01-01' }, 'roadside_set');
    expect(JSON.parse(Buffer.from(early.bytes).toString()).code).toBe('no-data');
  });

  test('is refused where nothing is chosen, or too much', async () => {
    const post = async (body: object) => (await api.send('POST', '/v1/drivers/ddd/download_zip', body)).body;
    expect((await post({ drivers: ['drv_none'] })).code).toBe('no-files');
    expect((await post({ fileIds: ['ddd_none'] })).code).toBe('no-files');
    expect((await post({ fileIds: Array.from({ length: 501 }, (_, i) => `ddd_${i}`) })).code).toBe('too-large');
  });
});

describe('what downloads contain of vehicles', () => {
  test('stands in the history of pairings, each stay once', async () => {
    const number = 'I000000012345600';
    const [from, to] = ['2026-03-02T05:00:00Z', '2026-03-02T15:15:00Z'];
    await upload(
      unitFile({
        plate: 'FG 123 HI',
        now: '2026-03-03T10:00:00Z',
        days: [unitDay('2026-03-02', [insertion(number, from, to)], ordinary)],
      }),
    );
    const asked = { vehicles: ['FG123HI'], from: '2026-03-01', to: '2026-03-31', kind: 'driver' };
    const { items } = (await api.send('POST', '/v1/vehicles/reports/pairing_history', asked)).body;
    expect(items).toMatchObject([
      { targa: 'FG123HI', driverId, source: 'ddd', from, to, durationS: 36_900, distanceM: 300_000 },
      { targa: 'FG123HI', driverId, source: 'ddd', from: '2026-03-16T05:00:00Z', distanceM: 400_000 },
    ]);
    const device = { ...asked, kind: 'device' };
    expect((await api.send('POST', '/v1/vehicles/reports/pairing_history', device)).body.items).toEqual([]);
  });

  test('counts in the score of safety', async () => {
    const slots = { driverBegin: null, coDriverBegin: null, driverEnd: null, coDriverEnd: null };
    const begin = secondsOf('2026-03-16T08:00:00Z');
    await upload(
      unitFile({
        plate: 'FG 123 HI',
        now: '2026-03-17T10:00:00Z',
        events: [{ type: 4, purpose: 0, begin, end: begin + 60, ...slots, similarEvents: 0 }],
        overspeeds: [
          {
            type: 7,
            purpose: 0,
            begin,
            end: begin + 60,
            maximumKmh: 104,
            averageKmh: 98,
            card: null,
            similarEvents: 0,
          },
        ],
      }),
    );
    const { body } = await api.get('/v1/vehicles/safety/me?from=2026-03-15&to=2026-03-20');
    const item = body.items.find(({ targa }: { targa: string }) => targa === 'FG123HI');
    // 12 points on the 400 km of the odometer
    expect(item).toMatchObject({
      score0to100: 97,
      distanceM: 400_000,
      tachograph: { overspeed: 1, drivingWithoutCard: 1 },
    });
    expect(item.events).toContainEqual(expect.objectContaining({ type: 'tachograph:overspeed', value: 104 }));
  });
});

describe('what is kept of a driver', () => {
  test('is another’s once their card is', async () => {
    const other = (await api.send('POST', '/v1/drivers', { name: 'Other' })).body.id;
    const moved = await upload(week('2026-02-02', 'I555555512345600'));
    await api.send('POST', '/v1/drivers/ddd/bind', { fileIds: [moved.fileId], driverId: other });
    await untilAnalysed(api, moved.fileId);
    const activities = async (id: string) =>
      (
        await api.send('POST', '/v1/drivers/ddd/activities_file', {
          driverId: id,
          from: '2026-02-02',
          to: '2026-02-06',
        })
      ).body;
    expect((await activities(other)).totals).toMatchObject({ driving: 2_720 });
    await api.send('POST', '/v1/drivers/ddd/bind', { fileIds: [moved.fileId], driverId });
    await expect.poll(async () => (await activities(driverId)).totals?.driving, { timeout: 60_000 }).toBe(2_720);
    expect((await activities(other)).code).toBe('not-analysed');
    // and of a file that is removed nothing stays
    await api.send('DELETE', `/v1/drivers/ddd/files/${moved.fileId}`);
    await expect.poll(async () => (await activities(driverId)).code, { timeout: 60_000 }).toBe('no-data');
  });

  test('is not read by a query that forgets the tenant', async () => {
    const other = await api.database.tenantId('other');
    const tables = [
      'ddd_file',
      'ddd_content',
      'ddd_card',
      'driver_card',
      'vehicle_stay',
      'unit_event',
      'driver_analysis',
      'driver_day',
      'payroll_day',
      'infringement',
      'tachograph_settings',
    ];
    for (const table of tables) {
      expect(await queryAsTenant(api.database.app, other, { text: `select * from ${table}` }), table).toEqual([]);
    }
  });

  test('has no names in the log', () => {
    expect(logged.join('')).not.toContain(SURNAME);
  });
});

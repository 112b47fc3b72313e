import { afterAll, beforeAll, expect, test } from 'vitest';
import { withFiled } from '../../../src/server/alerts/evaluation/filed-reports.ts';
import { readReports } from '../../../src/server/alerts/evaluation/late/store.ts';
import { readerOf } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory, type TestHistory } from '../../support/history.ts';

let api: RunningApi;
let history: TestHistory;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  history = startHistory(api.database);
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});

test('pages of reports for rules do not repeat the last one, as rows and as files', async () => {
  const time = Date.UTC(2026, 2, 1);
  // records of one instant are in the order of their ids
  const positions = Array.from({ length: 9 }, (_, n) => ({
    imei: 'paged',
    fixTime: new Date(time + Math.floor(n / 3) * 60_000).toISOString(),
    valid: true,
    latitude: 45 + n,
    longitude: 9,
    attributes: {},
  }));
  await api.send('POST', '/v1/positions', { positions });
  const { ingest } = api.database;
  const { rows } = await ingest.query<{ id: number; tenant: number }>(
    `select id, tenant_id as tenant from device where imei = 'paged'`,
  );
  const { id: deviceId, tenant: tenantId } = rows[0]!;
  const read = async (limit: number): Promise<number[]> => {
    const found: number[] = [];
    for (let after = { at: 0, id: '' }; ; ) {
      const stored = await readReports(ingest as never, deviceId, after, limit);
      const page = await withFiled(readerOf(ingest), { tenantId, deviceId }, { after, limit }, stored);
      const last = page.at(-1);
      if (last === undefined) return found.sort((a, b) => a - b);
      found.push(...page.map(({ latitude }) => latitude!));
      after = { at: last.time, id: last.id };
    }
  };
  const all = positions.map(({ latitude }) => latitude);
  for (const limit of [1, 2, 4]) expect(await read(limit)).toEqual(all);
  await sealAll(history);
  for (const limit of [1, 2, 4]) expect(await read(limit)).toEqual(all);
});

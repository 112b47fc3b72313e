import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { DEVICES_PER_BUCKET } from '../../../src/history/index.ts';
import { startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory } from '../../support/history.ts';

afterAll(dropDatabases);

const DAY_MS = 86_400_000;
const DAYS = [0, 1, 2].map((day) => Date.UTC(2026, 2, 1 + day));

/** Each in a file of its own. */
async function insertDevices(url: string, imeis: readonly string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query(
      `insert into fleetgate.device (id, tenant_id, imei, registered_by) overriding system value
       select 1000 + n * $2, tenant_id, imei, 'api' from fleetgate.tenant, unnest($1::text[]) with ordinality d (imei, n)
       where name = 'default'`,
      [imeis, DEVICES_PER_BUCKET],
    );
  } finally {
    await owner.end();
  }
}

test('the next days of other devices are moved while a day of some takes long', async () => {
  const url = await withDatabase(async (empty) => empty);
  const api = await startApi(url);
  let committed = 0;
  let release = (): void => {};
  const othersAreDone = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  const history = startHistory(api.database, async (step) => {
    if (step === 'committed' && ++committed === DAYS.length) release();
    if (step !== 'announced' || !isFirst) return;
    isFirst = false;
    await othersAreDone;
  });
  try {
    const imeis = ['first', 'second'];
    await insertDevices(url, imeis);
    const positions = imeis.flatMap((imei) =>
      DAYS.map((at) => ({
        imei,
        fixTime: new Date(at).toISOString(),
        valid: true,
        latitude: 45,
        longitude: 9,
        attributes: {},
      })),
    );
    expect((await api.send('POST', '/v1/positions', { positions })).body).toMatchObject({ accepted: 6 });
    const due = { positions: { before: DAYS[2]! + DAY_MS } };
    expect(await history.isDue({ positions: { before: DAYS[0]! } })).toBe(false);
    expect(await history.isDue(due)).toBe(true);
    expect(await sealAll(history)).toMatchObject({ positions: 6, parts: 6 });
    expect(await history.isDue(due)).toBe(false);
  } finally {
    await history.stop();
    await api.stop();
  }
});

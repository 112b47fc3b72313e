import { afterAll, expect, test } from 'vitest';
import { DEVICES_PER_BUCKET } from '../../../src/history/index.ts';
import { startApi } from '../../support/api.ts';
import { asOwner, dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory } from '../../support/history.ts';

afterAll(dropDatabases);

const DAY_MS = 86_400_000;
const DAYS = [0, 1, 2].map((day) => Date.UTC(2026, 2, 1 + day));

/** Each in a file of its own. */
const insertDevices = (url: string, imeis: readonly string[]): Promise<unknown> =>
  asOwner(
    url,
    `insert into device (id, tenant_id, imei, registered_by) overriding system value
     select 1000 + n * ${DEVICES_PER_BUCKET}, tenant_id, imei, 'api'
     from tenant, unnest(array['${imeis.join("', '")}']) with ordinality d (imei, n) where name = 'default'`,
  );

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

import { afterAll, expect, test } from 'vitest';
import { DEVICES_PER_BUCKET } from '../../../src/history/index.ts';
import { startApi } from '../../support/api.ts';
import { sealAll, startHistory } from '../../support/history.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';

afterAll(dropDatabases);

const DAYS = [0, 1, 2].map((day) => Date.UTC(2026, 2, 1 + day));

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
    for (const [n, imei] of imeis.entries()) {
      await api.send('POST', '/v1/devices', { imei });
      await api.database.ingest.query('update device set id = $1 where imei = $2', [n * DEVICES_PER_BUCKET + 1_000, imei]);
    }
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
    expect(await sealAll(history)).toMatchObject({ positions: 6, parts: 6 });
  } finally {
    await history.stop();
    await api.stop();
  }
});

import { afterAll, expect, test } from 'vitest';
import { DEVICES_PER_BUCKET, type Step } from '../../../src/server/history/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { asOwner, dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory, type TestHistory } from '../../support/history.ts';

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

/** Positions of three days and two devices, in six files; `at` is called at each step of moving them. */
async function withParts(
  at: (step: Step, api: RunningApi) => Promise<void>,
  work: (history: TestHistory) => Promise<void>,
): Promise<void> {
  const url = await withDatabase(async (empty) => empty);
  const api = await startApi(url);
  const history = startHistory(api.database, (step) => at(step, api));
  try {
    const imeis = ['first', 'second'];
    await insertDevices(url, imeis);
    const positions = imeis.flatMap((imei) =>
      DAYS.map((day) => ({
        imei,
        fixTime: new Date(day).toISOString(),
        valid: true,
        latitude: 45,
        longitude: 9,
        attributes: {},
      })),
    );
    expect((await api.send('POST', '/v1/positions', { positions })).body).toMatchObject({ accepted: 6 });
    await work(history);
  } finally {
    await history.stop();
    await api.stop();
  }
}

test('the next days of other devices are moved while a day of some takes long', async () => {
  let committed = 0;
  let release = (): void => {};
  const othersAreDone = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  const at = async (step: Step): Promise<void> => {
    if (step === 'committed' && ++committed === DAYS.length) release();
    if (step !== 'announced' || !isFirst) return;
    isFirst = false;
    await othersAreDone;
  };
  await withParts(at, async (history) => {
    const due = { positions: { before: DAYS[2]! + DAY_MS } };
    expect(await history.isDue({ positions: { before: DAYS[0]! } })).toBe(false);
    expect(await history.isDue(due)).toBe(true);
    expect(await sealAll(history)).toMatchObject({ positions: 6, parts: 6 });
    expect(await history.isDue(due)).toBe(false);
  });
});

test('one part is moved at a time where there are pauses', async () => {
  const atWork: number[] = [];
  let moving = 0;
  const at = async (step: Step, { database }: RunningApi): Promise<void> => {
    if (step === 'committed') moving -= 1;
    if (step !== 'announced') return;
    moving += 1;
    // others have the time to begin
    for (let i = 0; i < 20; i++) await database.ingest.query('select 1');
    atWork.push(moving);
  };
  await withParts(at, async (history) => {
    const sealed = await history.seal({ before: DAYS[2]! + DAY_MS, share: 0.9 });
    expect(sealed).toEqual({ positions: 6, parts: 6, failed: [] });
    expect(atWork).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

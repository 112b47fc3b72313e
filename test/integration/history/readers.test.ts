import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { sealAll, startHistory, type TestHistory } from '../../support/history.ts';
import { pythonWith } from '../../support/programs.ts';

// Other programs read the files: each of these libraries has a reader of its own.

let api: RunningApi;
let history: TestHistory;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
  history = startHistory(api.database);
  await api.send('POST', '/v1/positions', { positions });
  await sealAll(history);
});
afterAll(async () => {
  await history?.stop();
  await api?.stop();
  await dropDatabases();
});

const START = Date.UTC(2026, 2, 1, 23, 30);
const positions = Array.from({ length: 100 }, (_, n) => ({
  imei: `R-${n % 2}`,
  fixTime: new Date(START + n * 60_000).toISOString(),
  valid: n % 7 !== 0,
  latitude: 45 + n / 3,
  longitude: -9 - n / 7,
  ...(n % 3 === 0 ? {} : { speed: n / 9 }),
  attributes: { ...(n % 4 === 0 ? {} : { ignition: n % 8 < 4 }), text: `"é", \\N\n${n}` },
}));

interface Row {
  readonly time: number;
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number | null;
  readonly valid: boolean;
  readonly ignition: boolean | null;
  readonly attributes: string;
}

/** as the API writes it */
const textOf = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url').slice(0, 22);

describe('files of the history', () => {
  for (const library of ['pyarrow', 'duckdb']) {
    const python = pythonWith(library);
    test.skipIf(python === undefined)(`are read by ${library}`, async () => {
      const script = join('test', 'support', 'read-history.py');
      const { stdout, stderr } = spawnSync(python!, [script, library, history.folder], { encoding: 'utf8' });
      expect(stderr).toBe('');
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);
      const listed = await Promise.all(
        ['R-0', 'R-1'].map((imei) => api.get(`/v1/devices/${imei}/positions?limit=500`)),
      );
      const items = listed.flatMap(({ body }) => body.items);
      expect(items).toHaveLength(100);
      expect(rows.map((row) => ({ ...row, id: textOf(row.id), attributes: JSON.parse(row.attributes) }))).toMatchObject(
        items.map(({ id, fixTime, latitude, longitude, speed, valid, attributes }) => ({
          id,
          time: Date.parse(fixTime),
          latitude,
          longitude,
          speed: speed ?? null,
          valid,
          ignition: attributes.ignition ?? null,
          attributes,
        })),
      );
    });
  }
});

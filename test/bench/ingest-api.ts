import { request } from 'undici';
import { RECORDS_MEDIA_TYPE } from '../../src/contract/records.ts';
import { packPosition } from '../../src/contract/telemetry/index.ts';
import { PACKED } from '../../src/gateway/spool/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { assertion } from '../support/api.ts';
import { positionOf } from '../support/positions.ts';
import { startTestServer } from '../support/postgres.ts';
import { spoolBody } from '../support/spool-records.ts';
import { RECENT } from './api-process.ts';
import type { Figure } from './figure.ts';
import { startApiProcess } from './processes.ts';

const DEVICES = 100;
const ROWS = 1_000;
const WARM_UP = 30;
const BATCHES = 150;
const SPOOLS = 2;

/**
 * Batches of 1,000 realistic Teltonika positions of 100 devices, ten a device and batch, packed as gateways send them.
 * Two gateways post them to an API process of its own over embedded PostgreSQL with its ordinary, durable settings.
 * CPU is that of both.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer({});
  const api = await startApiProcess(await server.database());
  try {
    const token = await gatewayToken(api.url);
    await postBatches(api.url, token, prepareBatches(0, WARM_UP));
    const batches = prepareBatches(WARM_UP, BATCHES);
    const cpuBefore = server.cpuSeconds() + api.cpuSeconds();
    const apiBefore = api.cpuSeconds();
    const started = systemClock.monotonic();
    await postBatches(api.url, token, batches);
    const seconds = (systemClock.monotonic() - started) / 1000;
    const rows = BATCHES * ROWS;
    const micro = (key: string, s: number): Omit<Figure, 'name'> => ({
      value: `${((s / rows) * 1e6).toFixed(1)} µs`,
      measurements: [{ key, value: (s / rows) * 1e6, unit: 'µs' }],
    });
    const apiSeconds = api.cpuSeconds() - apiBefore;
    const allSeconds = server.cpuSeconds() + api.cpuSeconds() - cpuBefore;
    return [
      {
        name: 'ingest: rows stored a second',
        value: Math.round(rows / seconds).toLocaleString('en'),
        measurements: [{ key: 'rows', value: rows / seconds, unit: '1/s' }],
      },
      { name: 'ingest: CPU a row, API and PostgreSQL', ...micro('cpu', allSeconds) },
      { name: 'ingest: CPU a row, API', ...micro('cpuOfApi', apiSeconds) },
    ];
  } finally {
    await api.stop();
    await server.stop();
  }
}

export interface Prepared {
  readonly spool: string;
  readonly body: Buffer;
}

export function prepareBatches(first: number, count: number): Prepared[] {
  const perDevice = ROWS / DEVICES;
  return Array.from({ length: count }, (_, i) => {
    const batch = first + i;
    const round = Math.floor(batch / SPOOLS);
    const spool = batch % SPOOLS;
    const records = Array.from({ length: ROWS }, (_, n) => ({
      seq: round * ROWS + n + 1,
      kind: PACKED,
      bytes: packed(`35630704244${1000 + (n % DEVICES)}`, batch * perDevice + Math.floor(n / DEVICES)),
    }));
    return { spool: `spool-${spool}`, body: spoolBody(records) };
  });
}

function packed(imei: string, n: number): Buffer {
  const {
    id: _,
    deviceId,
    protocol,
    deviceTime,
    fixTime,
    serverTime,
    network: __,
    ...rest
  } = positionOf(imei, n, {}, RECENT);
  const times = { deviceTime: Date.parse(deviceTime!), fixTime: Date.parse(fixTime!) };
  const position = { type: 'position', ...rest, ...times } as Parameters<typeof packPosition>[2];
  return packPosition(deviceId, protocol!, position, Date.parse(serverTime!));
}

export async function postBatches(url: string, token: string, batches: readonly Prepared[]): Promise<void> {
  const spools = Array.from({ length: SPOOLS }, (_, n) => batches.filter((batch) => batch.spool === `spool-${n}`));
  await Promise.all(
    spools.map(async (ownBatches) => {
      for (const { spool, body: sent } of ownBatches) {
        const { statusCode, body } = await request(`${url}/v1/internal/events?spool=${spool}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': RECORDS_MEDIA_TYPE },
          body: sent,
        });
        const answer = (await body.json()) as { rejected: unknown[] };
        if (statusCode !== 200 || answer.rejected.length > 0) throw new Error(JSON.stringify(answer));
      }
    }),
  );
}

export async function gatewayToken(url: string): Promise<string> {
  const { body } = await request(`${url}/v1/auth/internal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service: 'gateway', assertion: await assertion('bench') }),
  });
  return ((await body.json()) as { accessToken: string }).accessToken;
}

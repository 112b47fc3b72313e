import { systemClock } from '../../src/platform/clock.ts';
import { API_KEY } from '../support/api.ts';
import { startTestServer } from '../support/postgres.ts';
import { apiProcess, callApi, gatewayToken, type PostedBatch, postBatches, preparedBatches } from './api-process.ts';
import { type Figure, median } from './figure.ts';

const VEHICLES = 1_000;
const RULES = 1_000;
const ROWS = 1_000;
const WARM_UP = 20;
const BATCHES = 50;
const ROUNDS = 4;

/**
 * Ingest over 1,000 vehicles, alternating without rules and with 1,000 of them (each type of rule over its vehicle), in the
 * same process and database: batches of 1,000 positions by two gateways. The figure is the median of the rounds.
 */
export async function run(): Promise<readonly Figure[]> {
  const server = await startTestServer({});
  const api = await apiProcess(await server.database());
  try {
    const token = await gatewayToken(api.url);
    let next = 0;
    const take = (count: number): PostedBatch[] => {
      const batches = preparedBatches({ first: next, count, devices: VEHICLES, rows: ROWS });
      next += count;
      return batches;
    };
    await postBatches(api.url, token, take(WARM_UP));
    await makeVehicles(api.url);
    const figures = { without: [] as number[], with: [] as number[] };
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const kind = round % 2 === 0 ? 'without' : 'with';
      if (kind === 'with') await makeRules(api.url);
      else await removeRules(api.url);
      await postBatches(api.url, token, take(4));
      const batches = take(BATCHES);
      const started = systemClock.monotonic();
      await postBatches(api.url, token, batches);
      figures[kind].push((BATCHES * ROWS * 1_000) / (systemClock.monotonic() - started));
    }
    const lag = await lagOf(api.url);
    const [without, within] = [median(figures.without), median(figures.with)];
    const show = (value: number): string => Math.round(value).toLocaleString('en');
    return [
      { name: 'rules: rows stored a second, without rules', value: show(without) },
      { name: `rules: rows stored a second, ${RULES} rules over ${VEHICLES} vehicles`, value: show(within) },
      {
        name: 'rules: falls by',
        value: `${(100 * (1 - within / without)).toFixed(1)} %`,
        measurements: [{ key: 'fallsBy', value: 100 * (1 - within / without), unit: '%' }],
      },
      { name: 'rules: rounds without / with', value: `${figures.without.map(show)} / ${figures.with.map(show)}` },
      {
        name: 'rules: evaluation behind at the end',
        value: `${lag.toFixed(2)} s`,
        measurements: [{ key: 'behind', value: lag, unit: 's' }],
      },
    ];
  } finally {
    await api.stop();
    await server.stop();
  }
}

const imeiOf = (n: number): string => `35630704244${1_000 + n}`;

async function makeVehicles(url: string): Promise<void> {
  for (let n = 0; n < VEHICLES; n++) {
    await callApi(url, 'POST', '/v1/vehicles', { targa: `BENCH${n}` });
    await callApi(url, 'POST', '/v1/pairings', { targa: `BENCH${n}`, imei: imeiOf(n), from: Date.UTC(2020, 0, 1) });
  }
}

const area = { type: 'circle', center: [12.5, 41.9], radiusM: 500 };
const KINDS = [
  { type: 'overspeed', params: { limitKmh: 90 } },
  { type: 'unauthorized_use', auth_hours: { monday: { min: 0, max: 24, all_day: true } }, timezone: 'Europe/Rome' },
  { type: 'geofence_exit', params: { area } },
  { type: 'ignition_off' },
  { type: 'low_battery' },
];

async function makeRules(url: string): Promise<void> {
  for (let n = 0; n < RULES; n++) {
    const data = { ...KINDS[n % KINDS.length]!, id: `bench${n}`, users: ['admin'], vehicles: [`BENCH${n % VEHICLES}`] };
    await callApi(url, 'PUT', '/v1/v1/notifications', { notification_data: data });
  }
}

async function removeRules(url: string): Promise<void> {
  for (let n = 0; n < RULES; n += 500) {
    const ids = Array.from({ length: 500 }, (_, i) => `nrl_bench${n + i}`).join(',');
    await callApi(url, 'DELETE', `/v1/notifications?ids=${ids}`).catch(() => {});
  }
}

async function lagOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${API_KEY}` } })).text();
  return Number(/^fleetgate_rules_lag_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock } from '../../src/platform/clock.ts';
import { startTestServer } from '../support/postgres.ts';
import { type Figure, median } from './figure.ts';
import { BLIND, fill, START, VEHICLES } from './movement-tracks.ts';

const DAY_MS = 86_400_000;
const ROUNDS = 7;
/** memory as the product gives its own server on a machine of 8 GB; what is written need not last */
const SETTINGS = { shared_buffers: '1GB', fsync: 'off', full_page_writes: 'off' };

/**
 * From the database, through the API, which runs in a process of its own: `checkpoi` over a week at 1 Hz with 40 corners
 * against counting the same rows, a day as polyline against fetching its rows, a month of trips of 50 vehicles at one
 * position each 30 s, and of ten whose devices do not report the ignition; then the largest answers. Nothing is
 * kept from one round to the next but the database's pages. Rows of the vehicles lie mixed, as they arrive; statistics
 * and visibility are up to date.
 */
export async function run(): Promise<Figure[]> {
  const server = await startTestServer(SETTINGS);
  const url = await server.database();
  const child = fork(join(import.meta.dirname, 'movement-child.js'), [url], { execArgv: ['--expose-gc'] });
  const owner = new pg.Client({ connectionString: url });
  owner.on('error', () => {});
  try {
    const { url: api, key, tenantId } = await answer<{ url: string; key: string; tenantId: number }>(child);
    await owner.connect();
    await fill(owner, tenantId);
    const bench = new Bench(child, api, key, owner, server.cpuSeconds);
    const load = loadavg()[0]!.toFixed(1);
    return [
      { name: 'movement: load of the machine before', value: `${load} on ${availableParallelism()} cores` },
      ...(await bench.polygon()),
      ...(await bench.wayOfDay()),
      ...(await bench.tripsOfMonth('bench-', VEHICLES)),
      ...(await bench.tripsOfMonth('blind-', BLIND)),
      ...(await bench.largest()),
    ];
  } finally {
    child.kill();
    await owner.end();
    await server.stop();
  }
}

const answer = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const mb = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;

interface Measured {
  readonly tookMs: number;
  /** between two iterations of the event loop, ms */
  readonly longest: {
    /** by the clock */
    readonly heldMs: number;
    /** of that: its thread ran; collected garbage; had no core */
    readonly computedMs: number;
    readonly collectedMs: number;
    readonly stolenMs: number;
    /** the most that it ran in any of them */
    readonly busiestMs: number;
  };
  readonly peakBytes: number;
  readonly cpuS: number;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = systemClock.monotonic();
  await work();
  return systemClock.monotonic() - from;
}

async function medianOf(work: () => Promise<number>, rounds = ROUNDS): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < rounds; i++) took.push(await work());
  return median(took);
}

const place = (angle: number, radius: number): [number, number] => [
  12.5 + Math.cos(angle) * radius,
  41.9 + Math.sin(angle) * radius,
];
const device0 = `device_id = (select id from device where imei = 'bench-0')`;
const from = Date.parse(START);

class Bench {
  readonly #child: ChildProcess;
  readonly #api: string;
  readonly #key: string;
  readonly #owner: pg.Client;
  readonly #databaseCpu: () => number;

  constructor(child: ChildProcess, api: string, key: string, owner: pg.Client, databaseCpu: () => number) {
    this.#child = child;
    this.#api = api;
    this.#key = key;
    this.#owner = owner;
    this.#databaseCpu = databaseCpu;
  }

  async #ask(method: string, path: string, body?: object): Promise<number> {
    const response = await fetch(this.#api + path, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    // read and dropped: a client that keeps all of it would measure itself
    let bytes = 0;
    for await (const chunk of response.body!) bytes += chunk.length;
    return bytes;
  }

  async #measured(work: () => Promise<number>): Promise<Measured> {
    this.#child.send('measure');
    await answer(this.#child);
    const tookMs = await work();
    this.#child.send('report');
    return { tookMs, ...(await answer<Omit<Measured, 'tookMs'>>(this.#child)) };
  }

  #figures(name: string, { tookMs, longest, peakBytes }: Measured, more: string): Figure[] {
    return [
      {
        name: `movement: ${name}`,
        value: `${ms(tookMs)}${more}`,
        measurements: [{ key: name, value: tookMs, unit: 'ms' }],
      },
      {
        name: 'movement: event loop held at most (of it ran, no core, garbage), ran at most, memory',
        value: `${ms(longest.heldMs)} (${[longest.computedMs, longest.stolenMs, longest.collectedMs].map(ms).join(', ')}), ${ms(longest.busiestMs)}, ${mb(peakBytes)}`,
      },
    ];
  }

  async polygon(): Promise<Figure[]> {
    const ring = Array.from({ length: 40 }, (_, n) => place((n * Math.PI) / 20, n % 2 === 0 ? 0.08 : 0.04));
    const body = { from, to: from + 7 * DAY_MS - 1, polygon: [...ring, ring[0]] };
    const count = `select count(latitude) from position where ${device0} and time >= $1 and time < $2`;
    const counted = await medianOf(() =>
      timed(() => this.#owner.query(count, [START, new Date(from + 7 * DAY_MS).toISOString()])),
    );
    const checked = await this.#measured(() =>
      medianOf(() => timed(() => this.#ask('PUT', '/v1/vehicles/bench-0/checkpoi', body))),
    );
    return [
      { name: 'movement: count(latitude) of a week at 1 Hz', value: ms(counted) },
      ...this.#figures('checkpoi of it, 40 corners', checked, `, ${(checked.tookMs / counted).toFixed(2)} times`),
    ];
  }

  async wayOfDay(): Promise<Figure[]> {
    const rows = `select time, latitude, longitude from position
      where ${device0} and time >= $1 and time < $2 order by time, id`;
    const fetched = await medianOf(() =>
      timed(() => this.#owner.query(rows, [START, new Date(from + DAY_MS).toISOString()])),
    );
    const body = { from, to: from + DAY_MS - 1 };
    const answered = await this.#measured(() =>
      medianOf(() => timed(() => this.#ask('PUT', '/v1/vehicles/bench-0/polyline', body))),
    );
    return [
      { name: 'movement: fetching a day of 86,400 rows', value: ms(fetched) },
      ...this.#figures('it as polyline', answered, `, ${(answered.tookMs / fetched).toFixed(2)} times`),
    ];
  }

  async tripsOfMonth(prefix: 'bench-' | 'blind-', count: number): Promise<Figure[]> {
    const vehicles = Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);
    const body = { vehicles, from, to: from + 30 * DAY_MS - 1, groupBy: 'vehicle' };
    const rounds = 3;
    const before = this.#databaseCpu();
    const month = await this.#measured(() =>
      medianOf(() => timed(() => this.#ask('POST', '/v1/routesGrouped', body)), rounds),
    );
    const cpu = (this.#databaseCpu() - before) / rounds;
    const spent = `, CPU ${cpu.toFixed(2)} s of PostgreSQL and ${(month.cpuS / rounds).toFixed(2)} s of the API`;
    const kind = prefix === 'bench-' ? '' : ' without ignition';
    return this.#figures(`a month of trips of ${count} vehicles${kind}, each 30 s`, month, spent);
  }

  /** Answers that are as large as may be asked for. */
  async largest(): Promise<Figure[]> {
    const week = { from, to: from + 7 * DAY_MS - 1 };
    const month = { from, to: from + 30 * DAY_MS - 1 };
    const vehicles = Array.from({ length: VEHICLES }, (_, n) => `bench-${n + 1}`);
    const second = { targa: 'bench-0', ...week };
    const ring = Array.from({ length: 999 }, (_, n) => place((n * 2 * Math.PI) / 999, n % 2 === 0 ? 0.08 : 0.0796));
    const polygon = [...ring, ring[0]];
    const query = `${vehicles.map((targa) => `targa=${targa}`).join('&')}&from=${from}&to=${month.to}`;
    const asked: [string, string, string, object | undefined][] = [
      ['a week at 1 Hz, 999 corners', 'PUT', 'vehicles/bench-0/checkpoi?includeTrack=true', { ...week, polygon }],
      ['a week at 1 Hz as polyline', 'PUT', 'vehicles/bench-0/polyline', { ...week, precision: 6 }],
      ['it simplified', 'PUT', 'vehicles/bench-0/polyline', { ...week, simplifyM: 50 }],
      [
        '50,000 points of it',
        'PUT',
        'vehicles/percorso',
        { ...second, maxPoints: 50_000, include: ['stops', 'events'] },
      ],
      ...(['gpx', 'kml', 'geojson', 'csv'] as const).map((format): [string, string, string, object] => {
        return [`it as ${format}`, 'POST', 'vehicles/download_route', { ...second, format }];
      }),
      ['a week of routes', 'PUT', 'vehicles/routes', { vehicles, ...week }],
      [
        'a month of routesV2, 500 a page',
        'GET',
        `vehicles/routesV2?${query}&limit=500&include=polyline,fuel`,
        undefined,
      ],
      ['a month of trips with their ways', 'POST', 'routesGrouped', { vehicles, ...month, includeRoutes: true }],
      ['a month of fuel of 50 vehicles', 'POST', 'vehicles/get_fuel_levels', { vehicles, ...month }],
      ['a day of safety of all vehicles', 'GET', `vehicles/safety/me?from=${from}&to=${from + DAY_MS - 1}`, undefined],
    ];
    const figures: Figure[] = [];
    for (const [name, method, path, body] of asked) {
      let bytes = 0;
      const measured = await this.#measured(() =>
        timed(async () => {
          bytes = await this.#ask(method, `/v1/${path}`, body);
        }),
      );
      figures.push(...this.#figures(name, measured, `, answer of ${mb(bytes)}`));
    }
    const eight = Array.from({ length: 8 }, () => () => this.#ask('PUT', '/v1/vehicles/bench-0/polyline', week));
    const together = await this.#measured(() => timed(() => Promise.all(eight.map((ask) => ask()))));
    figures.push(...this.#figures('a week at 1 Hz as polyline, for eight clients at once', together, ''));
    return figures;
  }
}

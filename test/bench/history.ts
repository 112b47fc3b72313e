import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createHistoryProcess } from '../../src/apps/history-process.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/server/database/index.ts';
import { createHistory, type History, type HistorySettings } from '../../src/server/history/index.ts';
import { DEVICES_PER_BUCKET } from '../../src/server/history/part.ts';
import { createPartitions } from '../../src/server/ingest/batches/index.ts';
import { type RunningApi, silent, startApi } from '../support/api.ts';
import { INHERITED } from '../support/inherited.ts';
import { startTestServer } from '../support/postgres.ts';
import { TestS3 } from '../support/s3-server.ts';
import { type Figure, median } from './figure.ts';

/** 1,000,000 for a run of two minutes; all 50 million take most of an hour and 40 GB of disk */
const POSITIONS = Number(process.env['BENCH_POSITIONS'] ?? 50_000_000);
const EVERY_S = 10;
const DAY_MS = 86_400_000;
const DAY_POSITIONS = 86_400 / EVERY_S;
/** each has three days at least: files and reads of a day are those of whole days */
const VEHICLES = Math.max(20, Math.min(1_000, Math.floor(POSITIONS / (3 * DAY_POSITIONS))));
/** days of the last two months have tables of their own once they are narrow */
const START = Math.floor(systemClock.now() / DAY_MS) * DAY_MS - 45 * DAY_MS;
const FIRST_DAY = new Date(START).toISOString().slice(0, 10);
/** devices that are read in each way */
const READ = Math.min(30, VEHICLES - 1);
/** connections that make positions */
const FILLED_AT_ONCE = 2;
const BATCH = 1_000;
/** for how long requests are sent on their own, and at most while positions are moved */
const IDLE_MS = 15_000;
const LONGEST_MS = 1_800_000;
const MB = 1_048_576;

/**
 * Positions of 1,000 vehicles (fewer where BENCH_POSITIONS is less than 26 million), one each 10 s with 12 attributes, and
 * a month of one more vehicle: bytes by side, speed of narrowing, speed and memory of sealing, a device's day from files of
 * a folder and of an S3 server (versitygw, from the PATH or BENCH_VERSITYGW) with and without a cache, a month from files
 * against the same rows, aggregates over a day and over all files, and what moving positions in the background takes from requests
 * that store some; and the same positions in ClickHouse (chdb, for the Python of BENCH_PYTHON), and moved to a file by DuckDB's
 * own extension (duckdb, duckdb-extension-postgres-scanner). What is measured is written to stderr at once, so that a run that is ended has figures too.
 */
export async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fleetgate-bench-'));
  const server = await startTestServer({ shared_buffers: '512MB', fsync: 'off', max_wal_size: '4GB' });
  const url = await server.database();
  const api = await startApi(url);
  const bench = new Bench(url, folder, api);
  try {
    return await bench.figures();
  } finally {
    await bench.close();
    await api.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes figures to stderr as soon as they are known. */
type Report = (...figures: Figure[]) => void;

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly answer: T }> {
  const from = systemClock.monotonic();
  const answer = await work();
  return { ms: systemClock.monotonic() - from, answer };
}

const show = (value: number): string => Math.round(value).toLocaleString('en');

class Bench {
  readonly #url: string;
  readonly #folder: string;
  readonly #api: RunningApi;
  readonly #database: Database;
  readonly #opened: History[] = [];
  readonly #since = systemClock.monotonic();
  #s3: TestS3 | undefined;

  constructor(url: string, folder: string, api: RunningApi) {
    this.#url = url;
    this.#folder = folder;
    this.#api = api;
    this.#database = api.database;
  }

  async figures(): Promise<Figure[]> {
    const load = `${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`;
    const all: Figure[] = [{ name: 'history: load of the machine before', value: load }];
    const report: Report = (...figures) => {
      for (const { name, value } of figures) process.stderr.write(`${this.#elapsed()} ${name}: ${value}\n`);
      all.push(...figures);
    };
    const filled = await timed(() => this.#fill());
    report({
      name: 'history: made',
      value: `${show(POSITIONS + 86_400)} positions of ${VEHICLES} vehicles in ${show(filled.ms / 1_000)} s`,
    });
    const [device, month] = await this.#devices();
    report(measured('a position of today', await this.#rowBytes('position'), 'bytes', 'row-bytes'));
    const monthOfWideRows = await this.#medianOf(() => this.#monthOfRows(month!));
    const history = this.#open('folder');
    const narrowed = await timed(() => history.narrow({ before: START + 40 * DAY_MS, by: 'day', forms: 10_000 }));
    report(
      measured('positions that become narrow, a second', narrowed.answer! / (narrowed.ms / 1_000), '/s', 'narrowing'),
    );
    await this.#sql('vacuum analyze position_narrow');
    const narrowBytes = await this.#rowBytes('position_narrow');
    report(measured('a narrow position', narrowBytes, 'bytes', 'narrow-bytes', { atMost: 250 }));
    const monthOfRows = await this.#medianOf(() => this.#monthOfRows(month!));
    await this.#settle();
    report(...this.#duckDb());
    await this.#sealing(history, report);
    const { bytes, positions } = await history.status();
    report(measured('a position in a file', bytes / positions, 'bytes', 'file-bytes', { atMost: 20 }));
    report(...(await this.#dayFrom('a folder', () => this.#open('folder'), device!, 10)));
    report(...(await this.#dayFromS3(device!)));
    report(...this.#peer(device!));
    const monthOfFiles = await this.#medianOf(() => this.#monthOfFiles(history, month!));
    report(
      measured('a month of one vehicle, from wide rows', monthOfWideRows, 'ms', 'month-wide-rows'),
      measured('the same from narrow rows', monthOfRows, 'ms', 'month-rows'),
      measured('the same from files', monthOfFiles, 'ms', 'month-files'),
      measured(
        'the same from files, times as long as from narrow rows',
        monthOfFiles / monthOfRows,
        '×',
        'month-ratio',
        {
          atMost: 3,
        },
      ),
    );
    const aggregate = 'select device_id, count(*), max(speed), avg(latitude) from positions';
    const ofDay = await timed(() => history.query(`${aggregate} where day = '${FIRST_DAY}' group by 1`));
    if (ofDay.answer.rows.length !== VEHICLES + 1) throw new Error(`${ofDay.answer.rows.length} vehicles of a day`);
    const ofAll = await timed(() => history.query(`${aggregate} group by 1`));
    report(
      measured('an aggregate over a day of the fleet', ofDay.ms, 'ms', 'aggregate-day'),
      measured('an aggregate over all files', ofAll.ms, 'ms', 'aggregate'),
    );
    return all;
  }

  /** What narrowing has left to do ends before anything else is measured: dirty pages, and rows that were deleted. */
  async #settle(): Promise<void> {
    await this.#sql('vacuum position');
    await this.#sql('checkpoint');
    const workers = async (): Promise<number> =>
      (await this.#sql(`select from pg_stat_activity where backend_type = 'autovacuum worker'`)).length;
    const until = systemClock.monotonic() + LONGEST_MS;
    while ((await workers()) > 0 && systemClock.monotonic() < until) await sleep(1_000);
  }

  /**
   * The first half of the days on its own; the others by the history process while requests store positions, with the
   * pauses that it makes, and the last day without them.
   */
  async #sealing(history: History, report: Report): Promise<void> {
    const days = Math.ceil(((POSITIONS / VEHICLES) * EVERY_S * 1_000) / DAY_MS);
    const half = Math.max(1, Math.floor(days / 2));
    const before = process.memoryUsage().rss;
    const peak = watchMemory();
    const first = await timed(() => history.seal({ before: START + half * DAY_MS }));
    const memory = (peak() - before) / MB;
    const perSecond = first.answer!.positions / (first.ms / 1_000);
    report(
      measured('sealing, positions a second', perSecond, '/s', 'sealing', { atLeast: 300_000 }),
      measured('memory of sealing', memory, 'MB', 'sealing-memory', { atMost: 1_024 }),
    );
    const idle = await this.#ingest(IDLE_MS);
    const paced = await this.#ingestWhileMoving(history, Math.max(half + 1, days - 1), 25);
    const unpaced = await this.#ingestWhileMoving(history, days, 100);
    const idleAgain = await this.#ingest(IDLE_MS);
    const rest = await history.seal({ before: START + 40 * DAY_MS });
    const failed = [...first.answer!.failed, ...rest!.failed];
    if (failed.length > 0) throw new Error(failed[0]!.reason);
    const usual = (idle + idleAgain) / 2;
    report(
      { name: 'history: positions moved to files', value: show((await history.status()).positions) },
      measured('a request of 1,000 positions, mean', usual, 'ms', 'ingest'),
      measured('the same while positions are moved in the background', paced.ms, 'ms', 'ingest-busy'),
      measured('moved meanwhile, a second', paced.perSecond, '/s', 'sealing-paced'),
      measured('slower meanwhile', 100 * (1 - usual / paced.ms), '%', 'ingest-slower', { atMost: 10 }),
      measured('slower without pauses', 100 * (1 - usual / unpaced.ms), '%', 'ingest-slower-unpaced'),
      measured('moved without pauses, a second', unpaced.perSecond, '/s', 'sealing-unpaced'),
    );
  }

  /** Mean time of requests while the history process moves positions up to a day. */
  async #ingestWhileMoving(
    history: History,
    days: number,
    share: number,
  ): Promise<{ readonly ms: number; readonly perSecond: number }> {
    const earlier = (await history.status()).positions;
    const environment = {
      ...INHERITED,
      ROLE: 'api',
      LOG_LEVEL: 'warn',
      DATABASE_URL: this.#url,
      DATA_DIR: this.#folder,
      HISTORY_URL: join(this.#folder, 'files'),
      HOT_DAYS: String(Math.floor((systemClock.now() - START) / DAY_MS) - days),
      HISTORY_SHARE: String(share),
    };
    let isMoving = true;
    const moved = timed(() => createHistoryProcess(silent, { environment }).run()).finally(() => {
      isMoving = false;
    });
    const ms = await this.#ingest(LONGEST_MS, () => isMoving);
    const took = await moved;
    return { ms, perSecond: ((await history.status()).positions - earlier) / (took.ms / 1_000) };
  }

  #elapsed(): string {
    return `${Math.round((systemClock.monotonic() - this.#since) / 1_000)} s`.padStart(6);
  }

  async close(): Promise<void> {
    for (const history of this.#opened) await history.close();
    await this.#s3?.remove();
  }

  #open(where: 'folder' | 's3'): History {
    const settings: HistorySettings = {
      url: where === 's3' ? this.#s3!.url : join(this.#folder, 'files'),
      s3: where === 's3' ? this.#s3!.settings : undefined,
      workDir: join(this.#folder, `work-${this.#opened.length}`),
      memoryMb: 512,
      threads: 2,
      partsAtOnce: 3,
      compression: 5,
      cacheMb: 1_024,
    };
    const history = createHistory({ settings, database: this.#database, clock: systemClock, log: silent });
    this.#opened.push(history);
    return history;
  }

  async #sql<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    try {
      await client.query('set search_path = fleetgate');
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Drives of some minutes with stops between them; coordinates have seven decimals, as devices send them. */
  async #fill(): Promise<void> {
    const start = new Date(START).toISOString();
    await createPartitions(this.#database.ingest, 'position', systemClock.now).ensure([
      START,
      START + 20 * DAY_MS,
      START + 40 * DAY_MS,
    ]);
    await this.#sql(`insert into device (tenant_id, imei, registered_by)
      select tenant_id, 'bench-' || n, 'api' from tenant, generate_series(0, ${VEHICLES}) n where name = 'default'`);
    const insert = (imeis: string, count: number, everyS: number): string => `
      insert into position (device_id, time, id, tenant_id, latitude, longitude, speed, course, altitude, valid, outdated,
        device_time, fix_time, server_time, protocol, ignition, attributes)
      select d.id, at, decode(left(md5(d.id || ' ' || i), 10) || left(md5(d.imei), 10) ||
          lpad(to_hex((extract(epoch from at) * 1000)::int8), 12, '0') || '00', 'hex'), d.tenant_id,
        round((45 + d.id * 0.001 + sin(i / 700.0 + d.id) * 0.2)::numeric, 7), round((9 + cos(i / 900.0) * 0.3)::numeric, 7),
        case when drives then 30 + (i * 7 + d.id) % 60 else 0 end, (i * 3) % 360, 120 + (i / 60) % 40, true, false,
        at, at, at + interval '1.2 s', 'teltonika', drives,
        replace(replace(jsonb_build_object('ignition', drives, 'sat', 8 + (i + d.id) % 9, 'hdop', round((7 + i % 9) / 10.0, 1), 'rssi', 3 + i % 3,
          'power', round((13.8 + sin(i / 50.0) / 4)::numeric, 3), 'battery', 4.1, 'odometer', 120000000 + i * 140,
          'motion', drives, 'fuelLevel', round((80 - (i % 9000) / 150.0)::numeric, 1), 'rpm', case when drives then
          1200 + i % 900 else 0 end, 'io21', i % 5, 'engineTemperature', 70 + (i / 30) % 25)::text,
          ': ', ':'), ', ', ',')::json
      from generate_series(0, ${count - 1}) i, device d,
        lateral (select timestamptz '${start}' + i * interval '${everyS} s' + d.id * interval '7 ms' as at,
          (i + d.id * 13) % 360 < 150 as drives) s
      where ${imeis}`;
    // a device's rows lie beside those of the others, as they arrive
    const count = Math.ceil(POSITIONS / VEHICLES);
    const fleet = (n: number): string =>
      `imei <> 'bench-0' and imei like 'bench-%' and d.id % ${FILLED_AT_ONCE} = ${n}`;
    await Promise.all(Array.from({ length: FILLED_AT_ONCE }, (_, n) => this.#sql(insert(fleet(n), count, EVERY_S))));
    await this.#sql(insert(`imei = 'bench-0'`, 86_400, 30));
    await this.#sql('vacuum analyze position');
  }

  async #devices(): Promise<[{ ids: number[] }, { ids: number[] }]> {
    const rows = await this.#sql<{ id: string; imei: string }>(
      `select id, imei from device where imei like 'bench-%' order by id`,
    );
    const ids = rows.filter(({ imei }) => imei !== 'bench-0').map(({ id }) => Number(id));
    const month = rows.filter(({ imei }) => imei === 'bench-0').map(({ id }) => Number(id));
    return [{ ids }, { ids: month }];
  }

  async #rowBytes(table: 'position' | 'position_narrow'): Promise<number> {
    const [row] = await this.#sql<{ bytes: number }>(
      `select (sum(pg_total_relation_size(inhrelid)) / (select count(*) from ${table}))::float8 as bytes
       from pg_inherits where inhparent = '${table}'::regclass`,
    );
    return row!.bytes;
  }

  async #medianOf(work: () => Promise<unknown>): Promise<number> {
    const took: number[] = [];
    for (let i = 0; i < 5; i++) took.push((await timed(work)).ms);
    return median(took);
  }

  async #monthOfRows({ ids }: { readonly ids: readonly number[] }): Promise<void> {
    await this.#database.ingest.query({
      text: `select extract(epoch from time)::float8, latitude, longitude, speed, ignition, course, altitude
             from position_all where device_id = $1 and valid order by time, id`,
      values: [ids[0]],
      rowMode: 'array',
    });
  }

  async #monthOfFiles(history: History, { ids }: { readonly ids: readonly number[] }): Promise<void> {
    const tenantId = await this.#database.tenantId('default');
    const found = await history.reader.find(tenantId, { deviceId: ids[0]!, from: START, to: START + 40 * DAY_MS });
    const chunks = await history.reader.readFixes(found, { withIds: false, onlyDriven: false });
    const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
    if (count !== 86_400) throw new Error(`${count} positions of a month`);
  }

  /** Each device is read for the first time (cold), then once more. */
  async #dayFrom(
    where: string,
    open: () => History,
    { ids }: { readonly ids: readonly number[] },
    atMostMs: number,
  ): Promise<Figure[]> {
    const history = open();
    const tenantId = await this.#database.tenantId('default');
    const stretch = { from: START, to: START + DAY_MS - 1 };
    const read = (deviceId: number) => async () =>
      history.reader.readFixes(await history.reader.find(tenantId, { deviceId, ...stretch }), {
        withIds: false,
        onlyDriven: false,
      });
    // DuckDB and the client are loaded once
    await read(ids.at(-1)!)();
    const cold: number[] = [];
    const warm: number[] = [];
    const step = Math.max(1, Math.floor((ids.length - 1) / READ));
    for (let n = 0; n < READ; n++) cold.push((await timed(read(ids[n * step]!))).ms);
    for (let n = 0; n < READ; n++) warm.push((await timed(read(ids[n * step]!))).ms);
    const key = where.replaceAll(/\W+/g, '-');
    return [
      measured(`a day of a device from ${where}, first read, p50`, median(cold), 'ms', `day-${key}-cold`, {
        atMost: atMostMs,
      }),
      measured(`the same again, p50`, median(warm), 'ms', `day-${key}-warm`),
    ];
  }

  /** The files of the folder are copied to the bucket as they are. */
  async #dayFromS3(devices: { readonly ids: readonly number[] }): Promise<Figure[]> {
    const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'versitygw'));
    const program = process.env['BENCH_VERSITYGW'] ?? paths.find((path) => existsSync(path));
    if (program === undefined) {
      return [{ name: 'history: a day of a device from S3', value: 'skipped: versitygw is not in the PATH' }];
    }
    this.#s3 = await new TestS3(program).start();
    this.#s3.copyFrom(join(this.#folder, 'files'));
    return this.#dayFrom('S3', () => this.#open('s3'), devices, 40);
  }

  /** A part of a day by DuckDB's extension for PostgreSQL, where Python has it: what is made of it is not compared with anything. */
  #duckDb(): Figure[] {
    const args = [this.#url, FIRST_DAY, String(DEVICES_PER_BUCKET)];
    const answer = runPeer<Record<'rows' | 'narrow', { perSecond: number; bytes: number }>>('duckdb-peer.py', args);
    if (typeof answer === 'string') return [{ name: "history: the same by DuckDB's extension", value: answer }];
    const { rows, narrow } = answer;
    return [
      measured("positions to a file by DuckDB's extension, a second", rows.perSecond, '/s', 'duckdb'),
      measured('bytes of one in it', rows.bytes, 'bytes', 'duckdb-bytes'),
      measured('narrow rows by it as they are, without their texts, a second', narrow.perSecond, '/s', 'duckdb-narrow'),
    ];
  }

  /** The same positions in ClickHouse, where Python has chdb. */
  #peer({ ids }: { readonly ids: readonly number[] }): Figure[] {
    const args = [join(this.#folder, 'files'), FIRST_DAY, ids.slice(0, READ).join(',')];
    const answer = runPeer<Record<string, { bytes: number; perSecond: number; dayMs: number }>>('chdb-peer.py', args);
    if (typeof answer === 'string') return [{ name: 'history: the same in ClickHouse', value: answer }];
    return Object.entries(answer).flatMap(([codec, { bytes, perSecond, dayMs }]) => {
      const key = `clickhouse-${codec.slice(0, 3).toLowerCase()}`;
      return [
        measured(`a position in ClickHouse, ${codec}`, bytes, 'bytes', `${key}-bytes`),
        measured('moved to it from the files, a second', perSecond, '/s', `${key}-filled`),
        measured('a day of a device from it, p50', dayMs, 'ms', `${key}-day`),
      ];
    });
  }

  /** Mean time of requests of 1,000 positions of other devices, one after the other for so long, ms. */
  async #ingest(longestMs: number, isWanted: () => boolean = () => true): Promise<number> {
    const end = systemClock.monotonic() + longestMs;
    let took = 0;
    let requests = 0;
    while (requests === 0 || (systemClock.monotonic() < end && isWanted())) {
      const positions = Array.from({ length: BATCH }, (_, i) => ({
        imei: `ingest-${i % 100}`,
        fixTime: new Date(this.#now + this.#pushed++).toISOString(),
        valid: true,
        latitude: 45,
        longitude: 9,
        attributes: { ignition: true, sat: 9 },
      }));
      const { ms, answer } = await timed(() => this.#api.send('POST', '/v1/positions', { positions }));
      if (answer.body.accepted !== BATCH) throw new Error(JSON.stringify(answer.body).slice(0, 200));
      took += ms;
      requests += 1;
    }
    return took / requests;
  }

  /** positions of today are stored as a gateway's are */
  readonly #now = systemClock.now();
  #pushed = 0;
}

/** What a script in Python prints; or why it was skipped. */
function runPeer<T>(script: string, args: readonly string[]): T | string {
  const python = process.env['BENCH_PYTHON'] ?? 'python3';
  const path = ['../../../test/bench', '.']
    .map((folder) => join(import.meta.dirname, folder, script))
    .find((each) => existsSync(each))!;
  const { status, stdout, stderr, error } = spawnSync(python, [path, ...args], { encoding: 'utf8' });
  return status === 0 ? (JSON.parse(stdout) as T) : `skipped: ${error?.message ?? stderr.trim().slice(-200)}`;
}

function measured(
  name: string,
  value: number,
  unit: string,
  key: string,
  wanted?: { readonly atLeast?: number; readonly atMost?: number },
): Figure {
  const text = value >= 100 ? show(value) : value.toFixed(1);
  return {
    name: `history: ${name}`,
    value: `${text} ${unit}`,
    measurements: [{ key, value, unit, ...(wanted === undefined ? {} : { wanted }) }],
  };
}

/** Highest resident memory from now on, bytes; the returned function ends the measurement. */
function watchMemory(): () => number {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

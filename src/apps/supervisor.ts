import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, systemClock } from '../platform/clock.ts';
import { localApiTrust, localApiUrl, reachable } from '../platform/local-api.ts';
import { type Lock, LockedError, takeLock } from '../platform/lock.ts';
import { createLog, type Log } from '../platform/log.ts';
import { EmbeddedPostgresError, freePort } from '../server/database/embedded.ts';
import { banner } from './banner.ts';
import type { ReadyReport } from './child.ts';
import { commandLine } from './command-line.ts';
import type { Config } from './config.ts';
import { type Keys, openKeys, showFirstRunSecrets } from './keys.ts';
import { type SupervisedDatabase, superviseDatabase } from './supervised-database.ts';
import { type SupervisedProcess, superviseProcess } from './supervised-process.ts';

export interface SupervisorOptions {
  readonly config: Config;
  /** script that runs one part, by the ROLE in its environment */
  readonly entry: string;
  readonly log?: Log;
  readonly clock?: Clock;
}

/** How long a stop waits for a start in progress. */
const START_TIMEOUT_MS = 5_000;

/** How long the gateway waits for the API at the start. */
const HEAD_START_MS = 5_000;

/** Time for which the gateway pushes, within its limit. */
const MAX_PUSH_S = 3;

/** Time limits for stopping each part, ms; together below the documented eight seconds. */
const STOP_TIMEOUT_MS = { gateway: 4_500, api: 1_200, postgres: 1_300 } as const;

/**
 * Runs embedded PostgreSQL (unless DATABASE_URL is given), the API and, with ROLE=all, the gateway: each in a process
 * of its own, started again when it ends. Resolves with the exit code when SIGINT, SIGTERM or SIGHUP has stopped all.
 */
export async function runSupervisor(options: SupervisorOptions): Promise<number> {
  const { config } = options;
  const log = options.log ?? createLog('supervisor', config.LOG_LEVEL);
  const clock = options.clock ?? systemClock;
  mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(config.DATA_DIR);
  const lock = lockDataDir(dataDir);
  if (lock === undefined) return 1;
  try {
    return await new Supervisor({ ...options, config: { ...config, DATA_DIR: dataDir }, log, clock }).run();
  } finally {
    lock.release();
  }
}

function lockDataDir(dataDir: string): Lock | undefined {
  try {
    return takeLock(join(dataDir, 'lock'));
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    process.stderr.write(
      `fleetgate: ${dataDir} is in use by the Fleetgate that runs as process ${error.pid}. Stop that one, or give another DATA_DIR.\n`,
    );
    return undefined;
  }
}

class Supervisor {
  readonly #config: Config;
  readonly #entry: string;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #ready = new Map<string, ReadyReport>();
  #keys: Keys | undefined;
  #database: SupervisedDatabase | undefined;
  #api: SupervisedProcess | undefined;
  #gateway: SupervisedProcess | undefined;
  #startGateway: (apiPort: number) => void = () => undefined;
  #headStart: NodeJS.Timeout | undefined;
  #announced = false;
  #stopping = false;
  #exitCode = 0;
  #askToStop: () => void = () => undefined;
  readonly #stopAsked = new Promise<void>((resolve) => {
    this.#askToStop = resolve;
  });

  constructor(options: Required<SupervisorOptions>) {
    this.#config = options.config;
    this.#entry = options.entry;
    this.#log = options.log;
    this.#clock = options.clock;
  }

  async run(): Promise<number> {
    const onSignal = (signal: NodeJS.Signals): void => {
      if (!this.#stopping) this.#log.info({ signal }, 'stopping');
      this.#beginStop();
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, onSignal);
    try {
      const started = this.#start();
      // Ctrl-C does not wait for a long recovery of the database: the recovery continues at the next start.
      const stopped = this.#stopAsked.then(() => Promise.race([started, wait(START_TIMEOUT_MS)]));
      await Promise.race([started.then(() => stopped), stopped]);
    } catch (error) {
      if (!(error instanceof EmbeddedPostgresError || error instanceof LockedError)) throw error;
      process.stderr.write(`fleetgate: ${error.message}\n`);
      this.#exitCode = 1;
    } finally {
      await this.#stop();
      for (const signal of signals) process.off(signal, onSignal);
    }
    return this.#exitCode;
  }

  async #start(): Promise<void> {
    const { DATA_DIR: dataDir, DATABASE_URL: ownDatabase } = this.#config;
    this.#keys = openKeys(this.#config);
    if (ownDatabase === undefined) {
      const options = { dataDir, log: this.#log, clock: this.#clock };
      this.#database = await superviseDatabase(options, () => this.#api?.recycle(STOP_TIMEOUT_MS.api));
    }
    const gatewayPort = await freePort();
    if (this.#stopping) return;
    this.#api = this.#keep('api', () => this.#apiSettings(gatewayPort));
    this.#startGateway = (apiPort) => this.#gatewayStarted(gatewayPort, apiPort);
    // The gateway is ready sooner if the API runs first, but starts without it after a while.
    if (this.#config.PORT !== 0)
      this.#headStart = setTimeout(() => this.#startGateway(this.#config.PORT), HEAD_START_MS);
  }

  #gatewayStarted(ownPort: number, apiPort: number): void {
    if (this.#config.ROLE !== 'all' || this.#stopping || this.#gateway !== undefined) return;
    this.#gateway = this.#keep('gateway', () => ({
      ROLE: 'gateway',
      DATA_DIR: this.#config.DATA_DIR,
      HOST: '127.0.0.1',
      PORT: String(ownPort),
      API_URL: this.#apiUrl(apiPort),
      ...this.#apiTrust(),
      INTERNAL_KEY: this.#keys!.internalKey,
      ...this.#drain(),
    }));
  }

  /** All of it stops within eight seconds, and nothing else takes over meanwhile. */
  #drain(): Record<string, string> {
    return {
      DRAIN_NOTICE_S: '0',
      DRAIN_CLOSE_S: '0',
      DRAIN_PUSH_S: String(Math.min(this.#config.DRAIN_PUSH_S, MAX_PUSH_S)),
    };
  }

  #apiUrl(port: number): string {
    return localApiUrl(this.#config, port);
  }

  /** The gateway beside the API trusts the certificate of the API and no other. */
  #apiTrust(): Record<string, string> {
    const { caFile, serverName } = localApiTrust(this.#config);
    return {
      ...(caFile === undefined ? {} : { API_CA: caFile }),
      ...(serverName === undefined ? {} : { API_SERVER_NAME: serverName }),
    };
  }

  #apiSettings(gatewayPort: number): Record<string, string> {
    const settings: Record<string, string> = {
      ROLE: 'api',
      DATA_DIR: this.#config.DATA_DIR,
      INTERNAL_KEY: this.#keys!.internalKey,
      ...this.#drain(),
    };
    const { firstRunKeyFile } = this.#keys!;
    if (firstRunKeyFile !== undefined) settings['FIRST_RUN_KEY'] = firstRunKeyFile;
    if (this.#keys!.adminPassword !== undefined) settings['ADMIN_PASSWORD'] = this.#keys!.adminPassword;
    if (this.#database !== undefined) {
      settings['DATABASE_URL'] = this.#database.url();
      settings['HISTORY_URL'] = this.#config.HISTORY_URL ?? join(this.#config.DATA_DIR, 'history');
    }
    if (this.#config.ROLE === 'all') settings['GATEWAY_STATUS_URL'] = `http://127.0.0.1:${gatewayPort}`;
    return settings;
  }

  #keep(name: string, settings: () => Record<string, string>): SupervisedProcess {
    return superviseProcess({
      name,
      entry: this.#entry,
      settings,
      log: this.#log,
      clock: this.#clock,
      onReady: (report) => this.#onReady(name, report),
      onStartFailure: () => {
        process.stderr.write(`fleetgate: the ${name} does not start, so nothing does\n`);
        this.#exitCode = 1;
        this.#beginStop();
      },
    });
  }

  #onReady(name: string, report: ReadyReport): void {
    this.#ready.set(name, report);
    if (name === 'api') this.#startGateway(report.port);
    const awaited = this.#config.ROLE === 'all' ? ['api', 'gateway'] : ['api'];
    if (this.#announced || !awaited.every((part) => this.#ready.has(part))) return;
    this.#announced = true;
    const firstRun = showFirstRunSecrets(this.#keys!, this.#config.DATA_DIR, process.stdout.isTTY === true);
    process.stdout.write(
      banner({
        listens: awaited.flatMap((part) => this.#ready.get(part)!.listens),
        apiUrl: this.#apiUrl(this.#ready.get('api')!.port),
        autoPort: this.#config.AUTO_PORT,
        gatewayHost: reachable(this.#config.GATEWAY_HOST),
        dataDir: this.#config.DATA_DIR,
        firstRun,
        autoRegister: this.#config.autoRegister,
        command: commandLine(),
      }),
    );
  }

  #beginStop(): void {
    this.#stopping = true;
    clearTimeout(this.#headStart);
    this.#askToStop();
  }

  /** In the order in which what is on its way arrives: gateway, API, database. */
  async #stop(): Promise<void> {
    await this.#gateway?.stop(STOP_TIMEOUT_MS.gateway);
    await this.#api?.stop(STOP_TIMEOUT_MS.api);
    await this.#database?.stop(STOP_TIMEOUT_MS.postgres);
    this.#log.info('stopped');
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { Counter, Gauge, Registry } from 'prom-client';
import { type Config, loadConfig } from '../apps/config.ts';
import { loadCatalogue } from '../codec/catalogue/index.ts';
import { type ApiTrust, apiConnector } from '../platform/api-connector.ts';
import { systemClock } from '../platform/clock.ts';
import { localApiTrust, localApiUrl } from '../platform/local-api.ts';
import { serveStatus } from '../platform/status-server.ts';
import { PROBE_STEPS, probe, type StepResult } from '../simulation/index.ts';
import { UsageError } from './usage.ts';

interface ProbeOptions {
  readonly api?: string;
  readonly host: string;
  readonly port?: string;
  readonly protocol: string;
  readonly device: string;
  readonly command: string;
  readonly every: string;
  readonly timeout: string;
  readonly metricsPort: string;
  readonly once?: boolean;
}

export function register(program: Command): void {
  program
    .command('probe')
    .description(
      'connect as a device, report a position, send a command to it, and check each step; uses API_KEY. A line of JSON for each round',
    )
    .option('--api <url>', 'URL of the API (default: HOST and PORT)')
    .option('--host <host>', 'address of the gateway', '127.0.0.1')
    .option('--port <port>', 'port of the gateway (default: AUTO_PORT)')
    .option('--protocol <name>', 'protocol of the device', 'teltonika')
    .option('--device <imei>', 'id of the device; register it unless AUTO_REGISTER is on', '350000000000017')
    .option('--command <text>', 'command to send', 'getinfo')
    .option('--every <s>', 'seconds between two rounds', '60')
    .option('--timeout <s>', 'longest time of a step', '15')
    .option('--metrics-port <port>', 'serve /metrics on this port of HOST; 0: do not', '0')
    .option('--once', 'one round; exits with 1 if a step fails')
    .action((options: ProbeOptions) => run(options));
}

async function run(options: ProbeOptions): Promise<void> {
  const config = loadConfig();
  if (config.API_KEY === undefined)
    throw new UsageError('API_KEY must be set: a key that reads positions and sends commands');
  const protocol = (await loadCatalogue()).named(options.protocol)[0];
  if (protocol === undefined) throw new UsageError(`no codec is called ${options.protocol}`);
  const settings = {
    simulator: protocol.simulator,
    deviceId: options.device,
    host: options.host,
    port: options.port === undefined ? config.AUTO_PORT : whole(options.port),
    apiUrl: options.api ?? localApiUrl(config),
    connector: apiConnector(options.api === undefined ? trustOf(config) : givenTrust(config)),
    apiKey: config.API_KEY,
    command: options.command,
    timeoutMs: whole(options.timeout) * 1000,
  };
  const metrics = createMetrics();
  const metricsPort = whole(options.metricsPort);
  if (metricsPort !== 0) {
    await serveStatus({ host: config.HOST, port: metricsPort, metricsTokens: 'public' }, () => [], metrics.registry);
  }
  for (;;) {
    const results = await probe(settings, systemClock);
    metrics.observe(results);
    process.stdout.write(
      `${JSON.stringify({ at: new Date(systemClock.now()).toISOString(), ok: isWhole(results), steps: results })}\n`,
    );
    if (options.once === true) {
      process.exitCode = isWhole(results) ? 0 : 1;
      return;
    }
    await sleep(whole(options.every) * 1000);
  }
}

const givenTrust = ({ API_CA, API_SERVER_NAME }: Config): ApiTrust => ({ caFile: API_CA, serverName: API_SERVER_NAME });

/** TLS settings for the API at HOST and PORT: those of gateways, or its own certificate. */
const trustOf = (config: Config): ApiTrust =>
  config.API_CA === undefined ? localApiTrust(config) : givenTrust(config);

const isWhole = (results: readonly StepResult[]): boolean =>
  results.length === PROBE_STEPS.length && results.every(({ ok }) => ok);

function createMetrics() {
  const registry = new Registry();
  const common = { labelNames: ['step'], registers: [registry] };
  const success = new Gauge({
    ...common,
    name: 'fleetgate_probe_success',
    help: '1 where a step of the last round succeeded',
  });
  const duration = new Gauge({
    ...common,
    name: 'fleetgate_probe_seconds',
    help: 'duration of a step in the last round',
  });
  const rounds = new Counter({
    name: 'fleetgate_probe_rounds_total',
    help: 'rounds of the probe by result',
    labelNames: ['result'],
    registers: [registry],
  });
  return {
    registry,
    observe(results: readonly StepResult[]): void {
      duration.reset();
      for (const step of PROBE_STEPS) success.set({ step }, results.some((one) => one.step === step && one.ok) ? 1 : 0);
      for (const { step, seconds } of results) duration.set({ step }, seconds);
      rounds.inc({ result: isWhole(results) ? 'success' : 'failure' });
    },
  };
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new UsageError(`not a whole number: ${text}`);
  return value;
}

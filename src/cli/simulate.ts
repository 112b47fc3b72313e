import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { loadCatalogue } from '../codec/catalogue/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type AnswerMode, Fleet } from '../simulation/index.ts';
import { UsageError } from './usage.ts';

interface SimulateOptions {
  readonly protocol: string;
  readonly devices: number;
  readonly rate: number;
  readonly host: string;
  readonly port?: number;
  readonly transport?: string;
  readonly answer: string;
  readonly duration: number;
  readonly fixes?: number;
  readonly first: number;
}

const MODES: readonly string[] = ['ack', 'refuse', 'silent', 'slow'] satisfies AnswerMode[];

export function register(program: Command): void {
  program
    .command('simulate')
    .description('simulate devices that log in, report positions, resend what is not acknowledged, and answer commands')
    .requiredOption('--protocol <name>', 'a codec’s name')
    .option('--devices <n>', 'number of devices', whole, 1)
    .option(
      '--rate <n>',
      'reports a second, all devices together; 0: each as soon as the last is acknowledged',
      number,
      1,
    )
    .option('--duration <s>', 'seconds to run; 0: until Ctrl-C', number, 0)
    .option('--host <host>', 'address of the gateway', '127.0.0.1')
    .option('--port <port>', 'port of the gateway (default: AUTO_PORT)', whole)
    .option('--transport <t>', 'tcp or udp (default: the first that the protocol has)')
    .option('--fixes <n>', 'fixes per report (default: 1)', whole)
    .option('--first <n>', 'number of the first device; ids are IMEIs made from it', whole, 1)
    .option('--answer <mode>', 'reaction to commands: ack, refuse, silent or slow', 'ack')
    .action((options: SimulateOptions) => simulate(options));
}

async function simulate(options: SimulateOptions): Promise<void> {
  const catalogue = await loadCatalogue();
  const protocol = catalogue.named(options.protocol)[0];
  if (protocol === undefined) {
    throw new UsageError(
      `no codec is called ${options.protocol}; there are ${catalogue.protocols.map((p) => p.id).join(', ')}`,
    );
  }
  if (!MODES.includes(options.answer)) throw new UsageError(`--answer must be one of ${MODES.join(', ')}`);
  const { simulator } = protocol;
  const transports: readonly string[] = 'transports' in protocol ? protocol.transports : ['tcp'];
  const transport = options.transport ?? transports[0];
  if (transport !== 'tcp' && transport !== 'udp') throw new UsageError('--transport must be tcp or udp');
  if (!transports.includes(transport))
    throw new UsageError(`${protocol.id} is spoken over ${transports.join(' and ')}, not over ${transport}`);
  const fleet = new Fleet(
    {
      simulator,
      transport,
      host: options.host,
      port: options.port ?? loadConfig().AUTO_PORT,
      devices: options.devices,
      rate: options.rate,
      fixesPerReport: Math.min(options.fixes ?? 1, simulator.fixesPerReport ?? 1),
      answer: options.answer as AnswerMode,
      slowAnswerMs: 20_000,
      firstDevice: options.first,
      startAt: Math.floor(systemClock.now() / 1000) * 1000,
    },
    systemClock,
  );
  fleet.start();
  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort());
  process.once('SIGTERM', () => stopped.abort());
  const from = systemClock.monotonic();
  const progress = setInterval(() => process.stderr.write(`${progressLine(fleet)}\n`), 1000);
  await sleep(options.duration === 0 ? 2 ** 31 - 1 : options.duration * 1000, undefined, {
    signal: stopped.signal,
  }).catch(() => {});
  fleet.pause();
  const deadline = systemClock.monotonic() + 10_000;
  while (fleet.outstanding > 0 && !stopped.signal.aborted && systemClock.monotonic() < deadline) await sleep(20);
  clearInterval(progress);
  const seconds = (systemClock.monotonic() - from) / 1000;
  fleet.stop();
  process.stdout.write(`${summary(fleet, seconds)}\n`);
  if (fleet.figures.ready === 0) {
    process.stderr.write('fleetgate: no device was admitted; is the gateway running on that port?\n');
    process.exitCode = 1;
  }
}

function progressLine({ figures, devices, outstanding }: Fleet): string {
  const online = devices.filter((d) => d.isReady).length;
  return `${online}/${devices.length} online · ${figures.sentFixes} positions sent · ${figures.acknowledgedFixes} acknowledged · ${outstanding} reports waiting · ${figures.commands} commands`;
}

function summary({ figures, latency, devices }: Fleet, seconds: number): string {
  const ms = (part: number) => (latency.count === 0 ? '-' : `${latency.at(part).toFixed(1)} ms`);
  const ids = [devices[0], devices.slice(1).at(-1)].flatMap((device) => device?.id ?? []).join(' to ');
  return [
    `ids           ${ids}`,
    `devices       ${devices.length} (${figures.connected} connections, ${figures.disconnects} lost, ${figures.refused} refused)`,
    `sent          ${figures.sentFixes} positions in ${figures.sentReports} reports`,
    `acknowledged  ${figures.acknowledgedFixes} positions in ${figures.acknowledgedReports} reports, ${(figures.acknowledgedFixes / seconds).toFixed(1)} a second`,
    `latency       p50 ${ms(0.5)}, p90 ${ms(0.9)}, p99 ${ms(0.99)}`,
    `commands      ${figures.commands}`,
  ].join('\n');
}

function number(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new UsageError(`not a number: ${text}`);
  return value;
}

function whole(text: string): number {
  const value = number(text);
  if (!Number.isInteger(value)) throw new UsageError(`not a whole number: ${text}`);
  return value;
}

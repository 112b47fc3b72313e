import { join } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { formatInstant } from '../contract/telemetry/instants.ts';
import {
  commandSpool,
  EVENT,
  inspectSpool,
  readRecords,
  type SetAsideEntry,
  SpoolLocked,
  showSetAside,
} from '../gateway/spool/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { UsageError } from './usage.ts';

/** The spool of the gateway. `ls` and `show` only read, and also work while the gateway runs. */
export function register(program: Command): void {
  const spool = program.command('spool').description('inspect the spool of the gateway and its set-aside records');
  spool.command('ls').description('list segments, cursors and set-aside records').action(list);
  spool
    .command('show')
    .description('show a record by its sequence number, or a set-aside record by its id')
    .argument('<record>')
    .action(show);
  spool
    .command('push')
    .description('deliver the spool of a gateway that does not run to API_URL; exits with 1 if records are left')
    .option('--within <seconds>', 'give up after so many seconds', '600')
    .action(({ within }: { within: string }) => push(Number(within)));
  for (const what of ['replay', 'drop'] as const) {
    spool
      .command(what)
      .description(what === 'replay' ? 'send set-aside records again' : 'delete set-aside records')
      .argument('<id>', 'id shown by spool ls, or all')
      .option('--target <name>', 'only records rejected by this target: api or push')
      .action((id: string, { target }: { target?: string }) => operate(what, id, target));
  }
}

const folder = (): string => join(loadConfig().DATA_DIR, 'spool');
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

async function list(): Promise<void> {
  const view = await look(inspectSpool(folder()));
  print(`spool     ${view.id}, ${view.holder === undefined ? 'held by nobody' : `held by process ${view.holder}`}`);
  print(`last      ${view.lastSeq}`);
  for (const [target, seq] of Object.entries(view.cursors)) {
    print(`target    ${target}: settled up to ${seq}, ${Math.max(0, view.lastSeq - seq)} waiting`);
  }
  for (const { file, first, last, records, bytes, damage } of view.segments) {
    const damaged = damage.length === 0 ? '' : `, ${damage.length} damaged stretches`;
    print(`segment   ${file}: ${records} records ${first} to ${last}, ${bytes} bytes${damaged}`);
  }
  for (const entry of view.setAside) print(`set aside ${describe(entry)}`);
  if (view.setAside.length === 0) print('set aside nothing');
}

const describe = ({ id, target, seq, at, code, detail }: SetAsideEntry): string =>
  `${id} (${target}, record ${seq}, ${formatInstant(at)}): ${code}, ${detail}`;

async function show(record: string): Promise<void> {
  const kept = await look(showSetAside(folder(), record));
  if (kept !== undefined) {
    print(describe(kept));
    print(Buffer.from(kept.bytes).toString());
    return;
  }
  const seq = /^\d+$/.test(record) ? Number(record) : undefined;
  const found = seq === undefined ? undefined : (await look(readRecords(folder(), seq, 1))).find((r) => r.seq === seq);
  if (found === undefined) throw new UsageError(`record ${record} is neither in the spool nor rejected`);
  print(`record ${found.seq}, ${found.kind === EVENT ? 'event' : 'position'}, ${formatInstant(found.at)}`);
  print(found.bytes.toString());
}

/** For the disk of a gateway that is not wanted any longer. */
async function push(withinS: number): Promise<void> {
  if (!(withinS > 0)) throw new UsageError('--within takes seconds');
  // loaded when it is needed
  const { pushSpool } = await import('../apps/spool-push.ts');
  await look(inspectSpool(folder()));
  const { gatewayId, pushed, setAside, waiting, trouble } = await pushSpool(loadConfig(), withinS * 1000).catch(
    (error: Error) => {
      throw error instanceof SpoolLocked ? new UsageError('a gateway runs on this spool, and delivers it') : error;
    },
  );
  print(`${pushed} records of ${gatewayId} delivered, ${waiting} left in the spool, ${setAside} set aside`);
  if (waiting === 0) return;
  process.stderr.write(`fleetgate: not all was delivered${trouble === undefined ? '' : ` (${trouble})`}\n`);
  process.exitCode = 1;
}

/** By the running gateway if it holds the spool, otherwise by this process. */
async function operate(what: 'replay' | 'drop', id: string, target: string | undefined): Promise<void> {
  const config = loadConfig();
  const settings = { clock: systemClock, log: createLog('spool', config.LOG_LEVEL), maxBytes: config.SPOOL_MAX_BYTES };
  const request = { do: what, id, ...(target === undefined ? {} : { target }) };
  const answer = await look(commandSpool(folder(), request, settings));
  if ('error' in answer) throw new UsageError(answer.error);
  print(`${answer.done} ${what === 'replay' ? 'replayed' : 'dropped'}`);
}

/** A spool that is not there is the caller's mistake, not a bug. */
async function look<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new UsageError(`the spool in ${folder()} cannot be read: ${(error as Error).message}`);
  }
}

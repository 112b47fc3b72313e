import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { KEY } from '../support/processes.ts';
import { type Account, takeAccount } from './account.ts';
import { candidatesOf, subjectsOf } from './faults.ts';
import { Installation, TOPIC } from './installation.ts';
import { Load } from './load.ts';
import { type PlannedFault, plan } from './plan.ts';
import { findLabPrograms } from './programs.ts';
import { until } from './until.ts';

/**
 * `main.js --minutes N --seed N --devices N --json <file>`: starts an installation of several machines in processes of
 * its own, kills, pauses, partitions and fills its parts under load, and accounts for every position and command. Ends
 * with 1 if a promise was broken, with 2 if programs are missing.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    devices: { type: 'string', default: '12' },
    json: { type: 'string' },
  },
});
/** s in which a part that is whole again has to be of use */
const RECOVERY_SECONDS = 180;

interface Row {
  readonly at: number;
  readonly fault: string;
  readonly seconds: number;
  readonly acknowledgedMeanwhile: number;
  readonly recoverySeconds: number;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const programs = findLabPrograms();
if ('length' in programs) {
  say(`left out: the laboratory needs ${programs.join(', ')}`);
  process.exit(2);
}
const installation = new Installation();
let load: Load | undefined;
let code = 1;
try {
  say('starting: etcd, 2 PostgreSQL under Patroni, 2 Redis, 3 Kafka brokers, HAProxy, 2 APIs, 3 gateways');
  await installation.start(programs);
  const streamId = await createStream();
  load = await Load.start(installation.url, installation.devicePort, Number(values.devices));
  await until(async () => load!.acknowledged > 100);
  const { rows, account } = await run(installation, load, streamId);
  printAccount(account);
  if (values.json !== undefined)
    writeFileSync(values.json, JSON.stringify({ seed: values.seed, rows, account }, null, 2));
  code = account.broken.length === 0 ? 0 : 1;
} finally {
  load?.stop();
  await installation.stop();
}
process.exit(code);

async function run(
  installation: Installation,
  load: Load,
  streamId: string,
): Promise<{ rows: Row[]; account: Account }> {
  const subjects = subjectsOf(installation);
  const rows: Row[] = [];
  const began = performance.now();
  say(
    `seed ${values.seed}\n    at  fault                                          lasts  acknowledged meanwhile  whole again after`,
  );
  for (const fault of plan(Number(values.seed), candidatesOf(subjects))) {
    if (performance.now() - began > 60_000 * Number(values.minutes)) break;
    const at = Math.round((performance.now() - began) / 1000);
    const before = load.acknowledged;
    await happen(subjects, fault);
    const acknowledgedMeanwhile = load.acknowledged - before;
    const name = nameOf(fault);
    const restored = performance.now();
    await until(() => isWhole(installation, load), RECOVERY_SECONDS, `whole again after: ${name}`);
    const recoverySeconds = Math.round((performance.now() - restored) / 100) / 10;
    const { seconds } = fault;
    rows.push({ at, fault: name, seconds, acknowledgedMeanwhile, recoverySeconds });
    const columns = [`${at} s`.padStart(6), name.padEnd(45), `${seconds} s`.padStart(6)];
    say(
      `${columns.join('  ')}  ${String(acknowledgedMeanwhile).padStart(22)}  ${recoverySeconds.toFixed(1).padStart(15)} s`,
    );
  }
  await load.settle();
  return { rows, account: await takeAccount(installation, load, streamId) };
}

function nameOf({ kind, part, during }: PlannedFault): string {
  return `${kind} ${part}${during === undefined ? '' : `, meanwhile ${nameOf(during)}`}`;
}

/** Resolves when the fault, and the one during it, have ended. */
async function happen(subjects: ReturnType<typeof subjectsOf>, { kind, part, seconds, during }: PlannedFault) {
  const restore = await subjects.get(part)![kind]!();
  const half = 500 * seconds;
  await sleep(half);
  const other = during === undefined ? undefined : happen(subjects, during);
  other?.catch(() => {});
  await sleep(half);
  await restore();
  await other;
}

/** Every part answers, spools are delivered, and devices are acknowledged. */
async function isWhole({ apis, gateways, postgres, redis }: Installation, load: Load): Promise<boolean> {
  for (const { process } of [...apis, ...gateways]) {
    const answer = await fetch(`${process.url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    if (!answer.ok) return false;
  }
  if ((await postgres.primary()) === undefined || !(await postgres.hasStandby())) return false;
  if ((await redis.master()) === undefined) return false;
  for (const { process } of gateways) if ((await process.metric('fleetgate_spool_lag_seconds')) > 2) return false;
  const before = load.acknowledged;
  await sleep(500);
  return load.acknowledged > before;
}

async function createStream(): Promise<string> {
  const [first, ...others] = installation.brokers().split(',');
  const answer = await fetch(`${installation.url}/v1/streams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'laboratory',
      type: 'kafka',
      kinds: ['position'],
      topic: TOPIC,
      url: `kafka://${first}`,
      options: { brokers: others.join(',') },
    }),
  });
  if (!answer.ok) throw new Error(`the stream was not created: ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

function printAccount({ acknowledged, stored, streamed, repeated, commands, accepted, broken }: Account): void {
  const states = Object.entries(commands).map(([state, count]) => `${count} ${state}`);
  say(`positions: ${acknowledged} acknowledged, ${stored} stored, ${streamed} streamed (${repeated} of them repeated)`);
  say(`commands: ${accepted} accepted: ${states.join(', ')}`);
  for (const line of broken.slice(0, 40)) say(`broken: ${line}`);
  say(broken.length === 0 ? 'no promise was broken' : `${broken.length} promises were broken`);
}

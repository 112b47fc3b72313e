import { setTimeout as sleep } from 'node:timers/promises';
import { KEY } from '../support/processes.ts';
import { type Account, takeAccount } from './account.ts';
import { candidatesOf, subjectsOf } from './faults.ts';
import { Installation, TOPIC } from './installation.ts';
import { Load } from './load.ts';
import { type PlannedFault, plan } from './plan.ts';
import type { LabPrograms } from './programs.ts';
import { until } from './until.ts';

/** s in which a part that is whole again has to be of use */
const RECOVERY_SECONDS = 180;

interface LabOptions {
  readonly seed: number;
  readonly devices: number;
  /** No other fault begins after so many seconds, or after so many faults. */
  readonly seconds: number;
  readonly faults?: number;
  /** faults with this text in their name, such as `pause primary`, and no others */
  readonly only?: string;
  readonly say: (line: string) => void;
}

interface LabFault {
  readonly at: number;
  readonly fault: string;
  readonly seconds: number;
  readonly acknowledgedMeanwhile: number;
  readonly recoverySeconds: number;
}

interface LabReport {
  readonly faults: readonly LabFault[];
  readonly account: Account;
}

/**
 * Starts an installation of several machines in processes of its own, kills, pauses, partitions and fills its parts under
 * load, accounts for every position and command, and ends it.
 */
export async function runLaboratory(programs: LabPrograms, options: LabOptions): Promise<LabReport> {
  const { devices, say } = options;
  const installation = new Installation();
  let load: Load | undefined;
  try {
    const work = async (): Promise<LabReport> => {
      say('starting: etcd, 2 PostgreSQL under Patroni, 2 Redis, 3 Kafka brokers, HAProxy, 2 APIs, 3 gateways');
      await installation.start(programs);
      const streamId = await createStream(installation);
      load = await Load.start(installation.url, installation.devicePort, devices);
      await until(async () => load!.acknowledged > 100);
      const faults = await runFaults(installation, load, options);
      await load.settle();
      const account = await takeAccount(installation, load, streamId);
      sayAccount(account, say);
      return { faults, account };
    };
    return await Promise.race([work(), interruption()]);
  } catch (error) {
    for (const line of installation.lastLines()) say(line);
    throw error;
  } finally {
    load?.stop();
    await installation.stop();
  }
}

/** Rejects when the process is to end: its programs are stopped before. */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => reject(new Error(`ended by ${name}`)));
  });
}

async function runFaults(installation: Installation, load: Load, options: LabOptions): Promise<LabFault[]> {
  const { seed, seconds: most, faults = Number.POSITIVE_INFINITY, only = '', say } = options;
  const subjects = subjectsOf(installation);
  const candidates = candidatesOf(subjects, only);
  if (Object.values(candidates).every((parts) => parts.length === 0)) throw new Error(`no fault is called ${only}`);
  const rows: LabFault[] = [];
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1_000;
  say(
    `seed ${seed}\n    at  fault                                          lasts  acknowledged meanwhile  whole again after`,
  );
  for (const fault of plan(seed, candidates)) {
    if (elapsed() > most || rows.length >= faults) break;
    const at = Math.round(elapsed());
    const before = load.acknowledged;
    await happen(subjects, fault);
    const acknowledgedMeanwhile = load.acknowledged - before;
    const name = nameOf(fault);
    const restored = elapsed();
    let missing: string | undefined;
    const isWhole = async (): Promise<boolean> => {
      missing = await missingOf(installation, load).catch((error: Error) => error.message);
      return missing === undefined;
    };
    await until(isWhole, RECOVERY_SECONDS, () => `whole again after: ${name} (${missing})`);
    const recoverySeconds = Math.round((elapsed() - restored) * 10) / 10;
    const { seconds } = fault;
    rows.push({ at, fault: name, seconds, acknowledgedMeanwhile, recoverySeconds });
    const columns = [`${at} s`.padStart(6), name.padEnd(45), `${seconds} s`.padStart(6)];
    const counts = [String(acknowledgedMeanwhile).padStart(22), `${recoverySeconds.toFixed(1).padStart(15)} s`];
    say([...columns, ...counts].join('  '));
  }
  return rows;
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

/** Undefined if every part answers, spools are delivered, and devices are acknowledged; what is missing otherwise. */
async function missingOf(installation: Installation, load: Load): Promise<string | undefined> {
  const { apis, gateways, postgres, redis } = installation;
  for (const [n, { process }] of [...apis, ...gateways].entries()) {
    const name = n < apis.length ? `API ${n + 1}` : `gateway ${n - apis.length + 1}`;
    const answer = await fetch(`${process.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (!answer?.ok) return `${name}: ${answer === undefined ? 'no answer' : await answer.text()}`;
  }
  if ((await postgres.primary()) === undefined) return `no primary: ${await postgres.roles()}`;
  if (!(await postgres.hasStandby())) return `no synchronous standby: ${await postgres.roles()}`;
  if ((await redis.master()) === undefined) return 'no Redis master';
  for (const [n, { process }] of gateways.entries()) {
    const lag = await process.metric('fleetgate_spool_lag_seconds');
    if (lag > 2) return `the spool of gateway ${n + 1} is ${lag} s behind`;
  }
  const before = load.acknowledged;
  await sleep(500);
  return load.acknowledged > before ? undefined : 'no device is acknowledged';
}

async function createStream(installation: Installation): Promise<string> {
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

function sayAccount(account: Account, say: (line: string) => void): void {
  const { acknowledged, stored, streamed, repeated, commands, accepted, broken } = account;
  const states = Object.entries(commands).map(([state, count]) => `${count} ${state}`);
  say(`positions: ${acknowledged} acknowledged, ${stored} stored, ${streamed} streamed (${repeated} of them repeated)`);
  say(`commands: ${accepted} accepted: ${states.join(', ')}`);
  for (const line of broken.slice(0, 40)) say(`broken: ${line}`);
  say(broken.length === 0 ? 'no promise was broken' : `${broken.length} promises were broken`);
}

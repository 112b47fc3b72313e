import type { Command } from 'commander';
import { loadConfig } from '../platform/config.ts';
import { enterPlan, type Tally } from './traccar/enter.ts';
import { type Plan, planFrom } from './traccar/plan.ts';
import { readTraccar, type TraccarLogin } from './traccar/source.ts';
import { UsageError } from './usage.ts';

interface Options {
  readonly token?: string;
  readonly user?: string;
  readonly password?: string;
  readonly to?: string;
  readonly key?: string;
  readonly dryRun?: true;
}

export function register(program: Command): void {
  program
    .command('import')
    .description('bring records from another server')
    .command('traccar')
    .description('groups, devices, drivers, geofences and users of a Traccar server; what is here already stays')
    .argument('<url>', 'where Traccar is, e.g. https://demo.traccar.org')
    .option('--token <token>', 'of a Traccar user who may see it all')
    .option('--user <name>', 'in place of a token: e-mail address of such a user')
    .option('--password <password>', 'and the password')
    .option('--to <url>', 'where Fleetgate’s API is (default: HOST and PORT)')
    .option('--key <key>', 'a key of the tenant that the records are for (default: API_KEY)')
    .option('--dry-run', 'only say what would be done')
    .action((url: string, options: Options) => fromTraccar(url, options));
}

async function fromTraccar(url: string, options: Options): Promise<void> {
  const config = loadConfig();
  const key = options.key ?? config.API_KEY;
  if (key === undefined) throw new UsageError('no key: give --key, or set API_KEY');
  const to = options.to ?? `http://${config.HOST}:${config.PORT}`;
  const plan = planFrom(await readTraccar(url, loginOf(options)));
  const isDry = options.dryRun === true;
  tell(plan, await enterPlan(plan, { url: to, key, isDry }), isDry);
}

function loginOf({ token, user, password }: Options): TraccarLogin {
  if (token !== undefined) return { token };
  if (user !== undefined && password !== undefined) return { user, password };
  throw new UsageError('Traccar asks who it is: give --token, or --user and --password');
}

function tell(plan: Plan, { made, there, refused }: Tally, isDry: boolean): void {
  for (const kind of new Set([...Object.keys(made), ...Object.keys(there)])) {
    const [new_, old] = [made[kind] ?? 0, there[kind] ?? 0];
    process.stdout.write(`${kind}: ${new_} ${isDry ? 'would be made' : 'made'}, ${old} there already\n`);
  }
  for (const line of plan.leftOut) process.stdout.write(`left out: ${line}\n`);
  for (const line of refused) process.stdout.write(`refused: ${line}\n`);
  const users = made['user'] ?? 0;
  if (users > 0 && !isDry) {
    process.stderr.write('Traccar tells nobody its passwords: each user sets a new one by recovery\n');
  }
  if (refused.length > 0) process.exitCode = 1;
}

import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
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
    .description('import records from another server')
    .command('traccar')
    .description(
      'import groups, devices, drivers, geofences and users of a Traccar server; existing records are not changed',
    )
    .argument('<url>', 'URL of the Traccar server, e.g. https://demo.traccar.org')
    .option('--token <token>', 'token of a Traccar user with access to all records')
    .option('--user <name>', 'e-mail address of a Traccar user, instead of a token')
    .option('--password <password>', 'password of that user')
    .option('--to <url>', 'URL of the Fleetgate API (default: HOST and PORT)')
    .option('--key <key>', 'API key of the target tenant (default: API_KEY)')
    .option('--dry-run', 'only report what would be imported')
    .action((url: string, options: Options) => fromTraccar(url, options));
}

async function fromTraccar(url: string, options: Options): Promise<void> {
  const config = loadConfig();
  const key = options.key ?? config.API_KEY;
  if (key === undefined) throw new UsageError('no API key: pass --key, or set API_KEY');
  const to = options.to ?? `${config.API_TLS_CERT === undefined ? 'http' : 'https'}://${config.HOST}:${config.PORT}`;
  const plan = planFrom(await readTraccar(url, loginOf(options)));
  const isDry = options.dryRun === true;
  report(plan, await enterPlan(plan, { url: to, key, isDry }), isDry);
}

function loginOf({ token, user, password }: Options): TraccarLogin {
  if (token !== undefined) return { token };
  if (user !== undefined && password !== undefined) return { user, password };
  throw new UsageError('Traccar requires a login: pass --token, or --user and --password');
}

function report(plan: Plan, { made, there, refused }: Tally, isDry: boolean): void {
  for (const kind of new Set([...Object.keys(made), ...Object.keys(there)])) {
    const [new_, old] = [made[kind] ?? 0, there[kind] ?? 0];
    process.stdout.write(`${kind}: ${new_} ${isDry ? 'would be made' : 'made'}, ${old} there already\n`);
  }
  for (const line of plan.leftOut) process.stdout.write(`left out: ${line}\n`);
  for (const line of refused) process.stdout.write(`refused: ${line}\n`);
  const users = made['user'] ?? 0;
  if (users > 0 && !isDry) {
    process.stderr.write('Traccar does not export passwords: each user sets a new one by recovery\n');
  }
  if (refused.length > 0) process.exitCode = 1;
}

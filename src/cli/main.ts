#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigError } from '../apps/config.ts';
import * as audit from './audit.ts';
import * as backup from './backup/index.ts';
import * as config from './config.ts';
import * as db from './db.ts';
import * as ddd from './ddd.ts';
import * as decode from './decode.ts';
import * as devices from './devices.ts';
import * as docs from './docs.ts';
import * as doctor from './doctor/index.ts';
import * as drain from './drain.ts';
import * as encode from './encode.ts';
import * as fixture from './fixture.ts';
import * as history from './history.ts';
import * as identify from './identify.ts';
import * as importing from './import.ts';
import * as keys from './keys.ts';
import * as probe from './probe.ts';
import * as queue from './queue.ts';
import * as secrets from './secrets.ts';
import * as serve from './serve.ts';
import * as simulate from './simulate.ts';
import * as spool from './spool.ts';
import * as upgrade from './upgrade.ts';
import { UsageError } from './usage.ts';

const commands = [
  audit,
  backup,
  config,
  db,
  ddd,
  decode,
  devices,
  docs,
  doctor,
  drain,
  encode,
  fixture,
  history,
  identify,
  importing,
  keys,
  probe,
  queue,
  secrets,
  serve,
  simulate,
  spool,
  upgrade,
];

/** Runs `fleetgate <command> …`. Answers go to stdout, everything else to stderr. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('fleetgate')
    .description('Fleet telematics server: receives positions from trackers, serves a REST API, and delivers commands.')
    .showHelpAfterError('(run with --help for usage)')
    .configureOutput({ writeErr: (text) => process.stderr.write(text) });
  for (const command of commands) command.register(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
    process.stderr.write(`fleetgate: ${error.message}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1]?.endsWith('main.js') || process.argv[1]?.endsWith('fleetgate')) await main(process.argv.slice(2));

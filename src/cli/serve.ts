import type { Command } from 'commander';
import { runRole } from '../apps/main.ts';
import { loadConfig } from '../platform/config.ts';

export function register(program: Command): void {
  program
    .command('serve')
    .description('run it: by ROLE all of it (default), the gateway or the API, until Ctrl-C')
    .action(() => runRole(loadConfig()));
}

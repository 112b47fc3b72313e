import type { Command } from 'commander';
import { loadConfig } from '../apps/config.ts';
import { runRole } from '../apps/main.ts';

export function register(program: Command): void {
  program
    .command('serve')
    .description('run the server: API and gateway, or one of them as set by ROLE; Ctrl-C stops it')
    .action(() => runRole(loadConfig()));
}

import type { Command } from 'commander';
import { runRole } from '../apps/main.ts';
import { loadConfig } from '../platform/config.ts';

export function register(program: Command): void {
  program
    .command('serve')
    .description('run the server: API and gateway, or one of them as set by ROLE; Ctrl-C stops it')
    .action(() => runRole(loadConfig()));
}

import type { Command } from 'commander';
import { stringify } from 'yaml';
import { effectiveSettings, environmentWith, loadConfig } from '../apps/config.ts';

export function register(program: Command): void {
  const config = program.command('config').description('settings of the environment and of CONFIG_FILE');
  config
    .command('check')
    .description('verify all settings without starting anything; exits with 1 and all problems if one is wrong')
    .argument('[file]', 'YAML file to verify instead of CONFIG_FILE')
    .action((file: string | undefined) => {
      const { ROLE: role } = loadConfig(environmentWith(file));
      process.stdout.write(`the settings are valid (ROLE=${role})\n`);
    });
  config
    .command('print')
    .description('print the settings that differ from their defaults, as YAML without secrets')
    .argument('[file]', 'YAML file to read instead of CONFIG_FILE')
    .option('--all', 'print the defaults too')
    .action((file: string | undefined, { all = false }: { all?: boolean }) => {
      for (const { name, value, from } of effectiveSettings(environmentWith(file))) {
        if (value === undefined || (from === 'default' && !all)) continue;
        process.stdout.write(`${stringify({ [name]: value }, { lineWidth: 0 }).trimEnd()}  # ${from}\n`);
      }
    });
}

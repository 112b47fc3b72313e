import type { Command } from 'commander';
import { type Config, ConfigError, loadConfig } from '../../apps/config.ts';
import { systemClock } from '../../platform/clock.ts';
import { checkBackup } from './backup.ts';
import { checkDataDir } from './data.ts';
import { type Finding, fail, ok } from './finding.ts';
import { checkBinaries, checkClock, checkDependencies, checkNode, checkOpenFiles, checkUser } from './machine.ts';
import { checkApi, checkDatabase, checkPorts, checkRedis } from './network.ts';
import { checkRunning, findRunning } from './running.ts';

export function register(program: Command): void {
  program
    .command('doctor')
    .description(
      'check the installation, and the server if it runs: what is wrong, since when, what it stops and what to do; exits with 1 if a check fails',
    )
    .action(async () => {
      const findings = await examine();
      for (const { level, text, advice } of findings) {
        process.stdout.write(`${level.padEnd(4)}  ${text}${advice === undefined ? '' : `\n      → ${advice}`}\n`);
      }
      if (findings.some(({ level }) => level === 'fail')) process.exitCode = 1;
    });
}

/** All checks, in the order of their dependencies. */
export async function examine(): Promise<Finding[]> {
  const findings = [checkNode(), checkDependencies(), checkClock(systemClock)];
  let config: Config;
  try {
    config = loadConfig();
    findings.push(ok(`settings (ROLE=${config.ROLE})`));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...findings, ...error.problems.map((problem) => fail(problem, 'see docs/configuration.md'))];
  }
  findings.push(checkUser(config), checkOpenFiles(config));
  if (config.ROLE !== 'gateway') findings.push(checkBinaries(config));
  const running = await findRunning(config);
  const checks = [checkDataDir, running === undefined ? checkPorts : () => checkRunning(config, running)];
  for (const check of [...checks, checkDatabase, checkRedis, checkApi, checkBackup])
    findings.push(...(await check(config)));
  return findings;
}

import { fileURLToPath } from 'node:url';
import { readCertificate } from '../platform/certificate-files.ts';
import { createLog } from '../platform/log.ts';
import { EXIT_SETUP, initChild } from './child.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { runSupervisor } from './supervisor.ts';

/** Runs the processes of ROLE until they are stopped. */
export async function runRole(config: Config): Promise<void> {
  requireCertificate(config);
  // The embedded database must run longer than the API.
  if (config.ROLE === 'all' || (config.ROLE === 'api' && config.DATABASE_URL === undefined)) {
    process.exit(await runSupervisor({ config, entry: fileURLToPath(import.meta.url) }));
  }
  const log = createLog(config.ROLE, config.LOG_LEVEL);
  initChild((error) => log.error({ err: error }, 'could not stop in order'));
  try {
    await runPart(config);
  } catch (error) {
    if (!isSetupFault(error)) throw error;
    process.stderr.write(`fleetgate: ${(error as Error).message}\n`);
    process.exit(EXIT_SETUP);
  }
}

/** Throws ConfigError where the certificate of the API cannot be used. */
function requireCertificate({ ROLE, API_TLS_CERT: cert, API_TLS_KEY: key }: Config): void {
  if (ROLE === 'gateway' || cert === undefined || key === undefined) return;
  try {
    readCertificate({ cert, key });
  } catch (error) {
    throw new ConfigError([`API_TLS_CERT, API_TLS_KEY: ${(error as Error).message}`]);
  }
}

/** Each loads its own code alone. */
async function runPart(config: Config): Promise<void> {
  if (config.ROLE === 'gateway') await (await import('./gateway.ts')).runGateway(config);
  else await (await import('./api.ts')).runApi(config);
}

const isSetupFault = (error: unknown): boolean =>
  error instanceof ConfigError ||
  ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'].includes((error as { code?: string }).code ?? '');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await runRole(loadConfig());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`fleetgate: ${error.message}\n`);
    process.exitCode = EXIT_SETUP;
  }
}

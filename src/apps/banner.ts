import { simulatedImei } from '../simulation/index.ts';
import type { Listening } from './child.ts';

/** of the first simulated device */
const FIRST_IMEI = simulatedImei(1);

export interface BannerFacts {
  readonly listens: readonly Listening[];
  readonly apiUrl: string;
  readonly autoPort: number;
  readonly gatewayHost: string;
  readonly dataDir: string;
  /** lines about the first run's secrets */
  readonly firstRun: readonly string[];
}

/** What a person reads once all is open: what listens where, and what to try first. */
export function banner(facts: BannerFacts): string {
  const width = Math.max(...facts.listens.map(({ what }) => what.length));
  const lines = ['Fleetgate runs.', ...facts.listens.map(({ what, where }) => `  ${what.padEnd(width)}  ${where}`)];
  lines.push(`  ${'data'.padEnd(width)}  ${facts.dataDir}`);
  if (facts.firstRun.length > 0) lines.push('', ...facts.firstRun);
  const { gatewayHost, autoPort, apiUrl } = facts;
  lines.push('', 'A first simulated position, and where it is:');
  if (autoPort !== 0) {
    lines.push(
      `  npm run --silent simulate -- --protocol teltonika --devices 1 --rate 1 --duration 60 --host ${gatewayHost} --port ${autoPort} &`,
    );
  }
  const authorised = `curl -H "Authorization: Bearer $API_KEY"`;
  lines.push(`  ${authorised} ${apiUrl}/v1/vehicles/${FIRST_IMEI}/position`, '', 'A first command, and its answer:');
  lines.push(
    `  ${authorised} -H 'Content-Type: application/json' '${apiUrl}/v1/gprsCommands/?wait=20' -d '{"imei":"${FIRST_IMEI}","gprsCommand":"getinfo"}'`,
  );
  lines.push('', 'Ctrl-C stops it.', '');
  return lines.join('\n');
}

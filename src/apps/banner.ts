import type { Listening } from './child.ts';

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
  lines.push('', 'A first simulated position, and what the API knows of it:');
  const { gatewayHost, autoPort, apiUrl } = facts;
  if (autoPort !== 0) {
    lines.push(
      `  npm run --silent simulate -- --protocol teltonika --devices 1 --rate 1 --duration 5 --host ${gatewayHost} --port ${autoPort}`,
    );
  }
  lines.push(`  curl -H "Authorization: Bearer $API_KEY" ${apiUrl}/v1/devices`);
  lines.push('', 'Ctrl-C stops it.', '');
  return lines.join('\n');
}

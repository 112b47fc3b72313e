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
  /** lines with the generated secrets of the first start */
  readonly firstRun: readonly string[];
  /** whether devices that are not registered are accepted */
  readonly autoRegister: boolean;
  /** how commands are run here, such as `npm run --silent` */
  readonly command: string;
}

/** The start-up message: listen addresses and example calls. */
export function banner(facts: BannerFacts): string {
  const width = Math.max(...facts.listens.map(({ what }) => what.length));
  const lines = [
    'Fleetgate is running.',
    ...facts.listens.map(({ what, where }) => `  ${what.padEnd(width)}  ${where}`),
  ];
  lines.push(`  ${'data'.padEnd(width)}  ${facts.dataDir}`);
  if (facts.firstRun.length > 0) lines.push('', ...facts.firstRun);
  const { gatewayHost, autoPort, apiUrl, command, autoRegister } = facts;
  const authorised = `curl -H "Authorization: Bearer $API_KEY"`;
  if (!autoRegister) {
    lines.push(
      '',
      'Register a device (AUTO_REGISTER=true accepts every device that connects):',
      `  ${authorised} -H 'Content-Type: application/json' ${apiUrl}/v1/devices -d '{"imei":"${FIRST_IMEI}"}'`,
    );
  }
  lines.push('', 'Simulate a device and read its position:');
  if (autoPort !== 0) {
    const dashes = command.startsWith('npm') ? ' --' : '';
    lines.push(
      `  ${command} simulate${dashes} --protocol teltonika --devices 1 --rate 1 --duration 60 --host ${gatewayHost} --port ${autoPort} &`,
    );
  }
  lines.push(
    `  ${authorised} ${apiUrl}/v1/vehicles/${FIRST_IMEI}/position`,
    '',
    'Send a command to it and wait for the answer:',
  );
  lines.push(
    `  ${authorised} -H 'Content-Type: application/json' '${apiUrl}/v1/gprsCommands/?wait=20' -d '{"imei":"${FIRST_IMEI}","gprsCommand":"getinfo"}'`,
  );
  lines.push('', 'Press Ctrl-C to stop.', '');
  return lines.join('\n');
}

import {
  type CommandDefinition,
  CUSTOM_TEXT,
  integerParameter,
  NOT_REPEATABLE,
  privilegedWords,
  wrapWith,
} from '#codec';
import type { Gps103State } from './frame.ts';

const command = wrapWith<Gps103State>((text, { deviceId }) => `**,imei:${deviceId},${text}`);

const MAX_INTERVAL_S = 99 * 3_600;

/** Whole hours, minutes or seconds. */
function interval(seconds: number): string {
  const [count, unit] =
    seconds >= 3_600 ? [seconds / 3_600, 'h'] : seconds >= 60 ? [seconds / 60, 'm'] : [seconds, 's'];
  return `${String(Math.floor(count)).padStart(2, '0')}${unit}`;
}

/** Source: GPS103 protocol document, commands of the server. */
export const commands: Readonly<Record<string, CommandDefinition<Gps103State>>> = {
  positionSingle: command('Ask for the position', 'B'),
  positionPeriodic: command(
    'Report at intervals',
    (_, params) => `C,${interval(integerParameter(params, 'frequency', 0, MAX_INTERVAL_S))}`,
    { params: { frequency: { type: 'number', title: 'Seconds', required: true } } },
  ),
  positionStop: command('Stop reports', 'D'),
  engineStop: command('Cut fuel or power', 'J', NOT_REPEATABLE),
  engineResume: command('Restore fuel or power', 'K', NOT_REPEATABLE),
  alarmArm: command('Arm', 'L'),
  alarmDisarm: command('Disarm', 'M'),
  requestPhoto: command('Take a photo', '160'),
  custom: command('Text behind the id', '{data}', CUSTOM_TEXT),
};

/** J (109) cuts fuel or power, K (110) restores it. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /^\s{0,4}[JK]\s{0,4}$/i,
  /imei:[^,]{0,40},\s{0,4}(?:[JK]|109|110)(?![a-z0-9])/i,
  /^\s{0,4}(?:109|110)(?!\d)/,
  // texts of SMS: a password follows the word
  /(?:begin|stop|resume)\s{0,4}\d{4}/i,
];

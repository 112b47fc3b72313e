import { type CommandDefinition, customCommand, integerParameter, textCommand } from '#codec';
import type { Gps103State } from './frame.ts';

const word = (title: string, letter: string, repeatable = true): CommandDefinition<Gps103State> =>
  textCommand(title, ({ deviceId }) => `**,imei:${deviceId},${letter}`, { repeatable });

const LONGEST_INTERVAL = 99 * 3_600;

/** Whole hours, minutes or seconds. */
function interval(seconds: number): string {
  const [count, unit] =
    seconds >= 3_600 ? [seconds / 3_600, 'h'] : seconds >= 60 ? [seconds / 60, 'm'] : [seconds, 's'];
  return `${String(Math.floor(count)).padStart(2, '0')}${unit}`;
}

/** Source: GPS103 protocol document, commands of the server. */
export const commands: Readonly<Record<string, CommandDefinition<Gps103State>>> = {
  positionSingle: word('Ask for the position', 'B'),
  positionPeriodic: textCommand(
    'Report at intervals',
    ({ deviceId }, params) =>
      `**,imei:${deviceId},C,${interval(integerParameter(params, 'frequency', 0, LONGEST_INTERVAL))}`,
    { params: { frequency: { type: 'number', title: 'Seconds', required: true } } },
  ),
  positionStop: word('Stop reports', 'D'),
  engineStop: word('Cut fuel or power', 'J', false),
  engineResume: word('Restore fuel or power', 'K', false),
  alarmArm: word('Arm', 'L'),
  alarmDisarm: word('Disarm', 'M'),
  requestPhoto: word('Take a photo', '160'),
  custom: customCommand('Text behind the id', (data, { deviceId }) => `**,imei:${deviceId},${data}`),
};

/** J cuts fuel or power. */
export const dangerous: readonly RegExp[] = [/^\s{0,4}[JK]\s{0,4}$/i, /^\*\*,imei:\d{0,20},[JK]\s{0,4}$/i];

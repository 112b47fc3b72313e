import {
  CodecError,
  type CommandDefinition,
  customCommand,
  ENDS_SESSION,
  integerParameter,
  integerPlaceholder,
  NOT_REPEATABLE,
  privilegedWords,
  type TextSettings,
  wrapWith,
} from '#codec';
import type { SuntechState } from './frame.ts';

const command = wrapWith<SuntechState>((text, { state: { universal, prefix }, deviceId }) =>
  universal ? `CMD;${deviceId};${text}\r` : `${prefix}CMD;${deviceId};02;${text}\r`,
);

/** Worded as the universal protocol has it, and as the older one has. */
const said = (
  title: string,
  universal: string,
  legacy: string,
  settings?: TextSettings,
): CommandDefinition<SuntechState> => command(title, ({ state }) => (state.universal ? universal : legacy), settings);

/** Words of the universal protocol that switch outputs 1 to 3. */
const ON = ['04;01', '04;03', '04;09'];
const OFF = ['04;02', '04;04', '04;10'];

/** Source: ST300 protocol document, CMD; universal protocol document, commands 03 and 04. */
export const commands: Readonly<Record<string, CommandDefinition<SuntechState>>> = {
  rebootDevice: said('Restart the device', '03;03', 'Reboot', ENDS_SESSION),
  positionSingle: said('Ask for the position', '03;01', 'StatusReq'),
  engineStop: said('Cut fuel or power (output 1 on)', '04;01', 'Enable1', NOT_REPEATABLE),
  engineResume: said('Restore fuel or power (output 1 off)', '04;02', 'Disable1', NOT_REPEATABLE),
  alarmArm: said('Arm (output 2 on)', '04;03', 'Enable2'),
  alarmDisarm: said('Disarm (output 2 off)', '04;04', 'Disable2'),
  outputControl: command(
    'Switch an output',
    ({ state }, { index, data }) => {
      if (data !== '1' && data !== '0') throw new CodecError('bad-parameter', 'data is 1 (on) or 0 (off)');
      const isOn = data === '1';
      if (!state.universal) return isOn ? 'Enable{index}' : 'Disable{index}';
      return (isOn ? ON : OFF)[integerParameter({ index }, 'index', 1, 3) - 1]!;
    },
    {
      ...NOT_REPEATABLE,
      params: { data: { type: 'string', title: '1: on, 0: off', required: true } },
      placeholders: { index: integerPlaceholder('Output, 1 to 3', 1, 3) },
    },
  ),
  custom: customCommand('Text as it is'),
};

/** Outputs, of which the first cuts fuel or power, restart, network settings. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /(?:Enable|Disable)\d/i,
  /NTW;/i,
  /PRG;/i,
  /CMD;[^;]{0,20};\s{0,4}0?(?:4;|3;\s{0,4}0?[2-9](?!\d))/i,
];

/** Restart of the universal protocol. */
export const sessionEnding: readonly RegExp[] = [/(?:^|CMD;[^;]{0,20};)\s{0,4}0?3;\s{0,4}0?3(?!\d)/i];

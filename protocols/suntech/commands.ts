import { CodecError, type CommandDefinition, customCommand, integerParameter, textCommand } from '#codec';
import type { SuntechState } from './frame.ts';

const said = (title: string, universal: string, legacy: string, repeatable = true): CommandDefinition<SuntechState> =>
  textCommand(title, ({ state, deviceId }) => say(state, deviceId, universal, legacy), { repeatable });

const say = (state: SuntechState, id: string, universal: string, legacy: string): string =>
  state.universal ? `CMD;${id};${universal}\r` : `${state.prefix}CMD;${id};02;${legacy}\r`;

/** Words of the universal protocol that switch outputs 1 to 3. */
const ON = ['04;01', '04;03', '04;09'];
const OFF = ['04;02', '04;04', '04;10'];

/** Source: ST300 protocol document, CMD; universal protocol document, commands 03 and 04. */
export const commands: Readonly<Record<string, CommandDefinition<SuntechState>>> = {
  rebootDevice: said('Restart the device', '03;03', 'Reboot'),
  positionSingle: said('Ask for the position', '03;01', 'StatusReq'),
  engineStop: said('Cut fuel or power (output 1 on)', '04;01', 'Enable1', false),
  engineResume: said('Restore fuel or power (output 1 off)', '04;02', 'Disable1', false),
  alarmArm: said('Arm (output 2 on)', '04;03', 'Enable2'),
  alarmDisarm: said('Disarm (output 2 off)', '04;04', 'Disable2'),
  outputControl: textCommand(
    'Switch an output',
    ({ state, deviceId }, params) => {
      const index = integerParameter(params, 'index', 1, 3);
      const data = params['data'];
      if (data !== '1' && data !== '0') throw new CodecError('bad-parameter', 'data is 1 (on) or 0 (off)');
      const isOn = data === '1';
      return say(state, deviceId, (isOn ? ON : OFF)[index - 1]!, `${isOn ? 'Enable' : 'Disable'}${index}`);
    },
    {
      repeatable: false,
      params: {
        index: { type: 'number', title: 'Output, 1 to 3', required: true },
        data: { type: 'string', title: '1: on, 0: off', required: true },
      },
    },
  ),
  custom: customCommand('Text as it is'),
};

/** Outputs, of which the first cuts fuel or power. */
export const dangerous: readonly RegExp[] = [/;\s{0,4}(?:Enable|Disable)\d/i, /^CMD;[^;]{0,20};04;/i];

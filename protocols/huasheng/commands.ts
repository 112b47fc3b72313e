import {
  binaryCommand,
  bytesCommand,
  type CommandDefinition,
  integerParameter,
  literalBodyField,
  numberBodyField,
} from '#codec';
import { seal } from './frame.ts';

const SETTING = 0xaa04;
const OUTPUT = 0xaa16;
const INDEX = 1;

const setting = (content: Uint8Array): Uint8Array => seal(0, SETTING, INDEX, content);

/** Tag, size, value. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  positionPeriodic: binaryCommand('Set the interval of positions', setting, [
    literalBodyField('00020006'),
    numberBodyField('frequency', 'Seconds', 'u16', [1, 65_535]),
  ]),
  alarmArm: binaryCommand('Arm the alarm', setting, [literalBodyField('0001000501')]),
  alarmDisarm: binaryCommand('Disarm the alarm', setting, [literalBodyField('0001000500')]),
  setSpeedLimit: binaryCommand('Set the speed limit', setting, [
    literalBodyField('00040006'),
    numberBodyField('data', 'km/h', 'u16', [0, 65_535]),
  ]),
  outputControl: {
    title: 'Set an output',
    params: {
      index: { type: 'number', title: 'Output', required: true },
      data: { type: 'number', title: '1 on, 0 off', required: true },
    },
    repeatable: false,
    encode: (params) => {
      const output = integerParameter(params, 'index', 1, 100);
      return seal(0, OUTPUT, INDEX, Uint8Array.of((output - 1) * 2 + 2 - integerParameter(params, 'data', 0, 1)));
    },
  },
  custom: bytesCommand('A whole message'),
};

/** Outputs (AA16), and what is not a setting (AA04) or an answer. */
export const privileged: readonly RegExp[] = [/c00[01]00[0-9a-f]{4}(?!aa04|ff0[13]|0003)/i];

import {
  type CommandDefinition,
  ENDS_SESSION,
  integerPlaceholder,
  NOT_REPEATABLE,
  privilegedWords,
  wrapWith,
} from '#codec';
import { inPacket, output, parameterValue, seconds, textOrBytes } from './command-text.ts';
import type { State } from './state.ts';

const command = wrapWith<State>(inPacket);

const MAX_ID = 65_535;
const parameterId = integerPlaceholder('Number of the parameter', 0, MAX_ID);

/** SMS/GPRS command list of the wiki. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  engineStop: command('Stop the engine: output 1 on', 'setdigout 1', NOT_REPEATABLE),
  engineResume: command('Let the engine run: output 1 off', 'setdigout 0', NOT_REPEATABLE),
  outputControl: command('Set an output', 'setdigout {index}{data}{seconds}', {
    ...NOT_REPEATABLE,
    placeholders: { index: output, data: integerPlaceholder('1 on, 0 off', 0, 1), seconds },
  }),
  positionSingle: command('Ask for the place', 'getgps'),
  getVersion: command('Ask for firmware, hardware and IMEI', 'getver'),
  deviceStatus: command('Ask for the state of modem and inputs', 'getstatus'),
  rebootDevice: command('Restart the device', 'cpureset', ENDS_SESSION),
  getParameter: command('Ask for a parameter of the configuration', 'getparam {id}', {
    placeholders: { id: parameterId },
  }),
  setParameter: command('Set a parameter of the configuration', 'setparam {id}:{value}', {
    placeholders: { id: parameterId, value: parameterValue },
  }),
  readElement: command('Ask for the present value of an element', 'readio {id}', {
    placeholders: { id: integerPlaceholder('Number of the element', 0, MAX_ID) },
  }),
  custom: command('Any command of the device', '{data}', { placeholders: { data: textOrBytes } }),
};

/**
 * Outputs, engine and doors over LV-CAN, restart, factory settings, stored records; servers and APN (parameters 2000 to
 * 2019, 13000 to 13009), log-in of SMS (3003, 3004).
 */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /lvcan|deleterecords|web_connect|ftpconnect|flush\b/i,
  /setparam[\s\S]*?[\s;]0{0,8}(?:20[01]\d|300[34]|1300\d)\s{0,8}:/i,
  /cpureset|defaultcfg|sdformat|obdfota|blefota|setkey/i,
];

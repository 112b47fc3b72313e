import {
  type CommandDefinition,
  customCommand,
  type DeviceOptions,
  NOT_REPEATABLE,
  privilegedWords,
  textCommand,
  unescapeLineEnds,
} from '#codec';
import { DEFAULT_PASSWORD } from './tables.ts';

const passwordOf = ({ password }: DeviceOptions): string =>
  typeof password === 'string' && password !== '' ? password : DEFAULT_PASSWORD;

const power = (title: string, code: string): CommandDefinition<undefined> =>
  textCommand(title, ({ options }) => `powercar${passwordOf(options)} ${code}`, NOT_REPEATABLE);

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: power('Stop the engine', '11'),
  engineResume: power('Let the engine run again', '00'),
  custom: customCommand('Text as it is; \\r and \\n are line ends', unescapeLineEnds),
};

/** `begin` sets the device to its initial state; the others set password, server and APN. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /powercar|begin|password|apn|up(?:ip|iport)/i];

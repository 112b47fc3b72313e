import {
  type CommandDefinition,
  CUSTOM_TEXT,
  type DeviceOptions,
  ENDS_SESSION,
  privilegedWords,
  toLatin1,
  wrapWith,
} from '#codec';
import { DEFAULT_PASSWORD, write } from './frame.ts';

const command = wrapWith<undefined>((text) => toLatin1(write(text)));

const passwordOf = ({ options }: { readonly options: DeviceOptions }): string => {
  const { password } = options;
  return typeof password === 'string' && password !== '' ? password : DEFAULT_PASSWORD;
};

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  positionSingle: command('Ask for a position', (context) => `AVREQ,${passwordOf(context)},1`),
  rebootDevice: command('Restart', (context) => `AVRESET,${context.deviceId},${passwordOf(context)}`, ENDS_SESSION),
  custom: command('Text between `$` and the checksum', '{data}', CUSTOM_TEXT),
};

/** AVCFG sets the server, the APN and outputs among others. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /AVCFG/i];
export const sessionEnding: readonly RegExp[] = [/AVRESET/i];

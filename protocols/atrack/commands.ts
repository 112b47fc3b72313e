import { type CommandDefinition, customCommand, privilegedWords } from '#codec';
import type { State } from './decode.ts';

/** AT$… commands, as by SMS. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: customCommand<State>('An AT$… command', (data) => `${data}\r\n`),
};

/** Outputs, server and APN, restart, firmware. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /AT\$(?:OUTC|GPRS|GSMO|REB|RST|RES|DEF|FAC|FW|DLFW|SRV|CLR|VOMO|PASW)/i,
];

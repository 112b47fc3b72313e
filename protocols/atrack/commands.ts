import { type CommandDefinition, customCommand } from '#codec';
import type { State } from './decode.ts';

/** AT$… commands, as by SMS. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: customCommand<State>('An AT$… command', (data) => `${data}\r\n`),
};

/** Outputs. */
export const privileged: readonly RegExp[] = [/AT\$OUTC/i];

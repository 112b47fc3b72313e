import { bytesCommand, type CommandDefinition, EVERY_MESSAGE } from '#codec';
import type { State } from './decode.ts';

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: bytesCommand('A whole message'),
};

/** The vendors' commands are numbers with a password, so that any may be such a one. */
export const privileged: readonly RegExp[] = EVERY_MESSAGE;

import { type CommandDefinition, customCommand, EVERY_MESSAGE, unescapeLineEnds } from '#codec';
import type { State } from './decode.ts';

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: customCommand<State>('A whole message', unescapeLineEnds),
};

/** The vendors' commands are numbers with a password, so that any may be such a one. */
export const privileged: readonly RegExp[] = EVERY_MESSAGE;

import { bytesCommand, type CommandDefinition } from '#codec';
import type { State } from './decode.ts';

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: bytesCommand('A whole message'),
};

/** Messages other than answers to hellos (1) and commits (6): they set parameters and outputs. */
export const privileged: readonly RegExp[] = [/0255(?!01|06)/];

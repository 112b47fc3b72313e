import { bytesCommand, type CommandDefinition, EVERY_MESSAGE } from '#codec';
import type { T55State } from './decode.ts';

export const commands: Readonly<Record<string, CommandDefinition<T55State>>> = {
  custom: bytesCommand('A whole message'),
};

export const privileged: readonly RegExp[] = EVERY_MESSAGE;

import { bytesCommand, type CommandDefinition, EVERY_MESSAGE } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: bytesCommand('A whole message'),
};

export const privileged: readonly RegExp[] = EVERY_MESSAGE;

import { bytesCommand, type CommandDefinition } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: bytesCommand('A whole message'),
};

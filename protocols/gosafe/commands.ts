import { bytesCommand, type CommandDefinition } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: bytesCommand('A whole message'),
};

/** *GS16,…,OUT: outputs, in hex */
export const privileged: readonly RegExp[] = [/^2a4753.*4f5554/i];

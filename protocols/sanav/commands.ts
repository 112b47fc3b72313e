import { bytesCommand, type CommandDefinition, EVERY_MESSAGE } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: bytesCommand('A whole message'),
};

/** The vendor's commands are not known, so that any may be such a one. */
export const privileged: readonly RegExp[] = EVERY_MESSAGE;

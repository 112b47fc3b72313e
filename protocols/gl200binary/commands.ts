import { type CommandDefinition, customCommand } from '#codec';

/** The same text as in the text form of the protocol. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('An AT+GT… command, with its $'),
};

/** Outputs. */
export const dangerous: readonly RegExp[] = [/AT\+GTOUT=/i];

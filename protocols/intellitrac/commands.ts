import { type CommandDefinition, customCommand, EVERY_MESSAGE, unescapeLineEnds } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('Text as it is; \\r and \\n stand for the line end', unescapeLineEnds),
};

export const privileged: readonly RegExp[] = EVERY_MESSAGE;

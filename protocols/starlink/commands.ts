import { type CommandDefinition, customCommand, unescapeLineEnds } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('Text; \\r and \\n stand for line ends', unescapeLineEnds),
};

/** Outputs and the immobiliser. */
export const privileged: readonly RegExp[] = [/^\s{0,4}\$?SLU.{0,40}(?:OUT|IMM)/i];

import { type CommandDefinition, customCommand, privilegedWords, unescapeLineEnds } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('Text; \\r and \\n stand for line ends', unescapeLineEnds),
};

/** Outputs, the immobilizer, settings. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /SLU[\s\S]{0,80}(?:OUT|IMM|CFG|RST|SET)/i];

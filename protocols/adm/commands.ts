import { type CommandDefinition, customCommand, textCommand } from '#codec';

/** Text lines, as by SMS. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  getDeviceStatus: textCommand('Ask for the state', 'STATUS\r\n'),
  custom: customCommand('Text of a command', (data) => `${data}\r\n`),
};

/** Outputs. */
export const privileged: readonly RegExp[] = [/^\s{0,4}(?:OUTPUT|OUT)\d?\b/i];

import { type CommandDefinition, customCommand, privilegedWords, textCommand } from '#codec';

/** Text lines, as by SMS. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  getDeviceStatus: textCommand('Ask for the state', 'STATUS\r\n'),
  custom: customCommand('Text of a command', (data) => `${data}\r\n`),
};

/** Outputs, restart, server, APN, firmware. */
export const privileged: readonly RegExp[] = [...privilegedWords()];

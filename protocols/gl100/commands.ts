import { type CommandDefinition, customCommand, privilegedWords } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('Text as it is, such as AT+GTRTO=gl100,6,20240601120000'),
};

/** SRI and BEI set the servers and the APN, RTO restarts and turns off, PIN locks the card. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /GT(?:SRI|BEI|RTO|PIN)/i];

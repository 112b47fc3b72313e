import { bytesCommand, type CommandDefinition, privilegedWords } from '#codec';

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: bytesCommand('A whole message'),
};

/** Outputs, restart, server and APN, firmware; in hex, as all of its messages. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /\*GS[^#]*(?:OUT|RST|RES|NTS|APN|SRV|FTO|DEF|CLR|LSN|PWD)/i,
];

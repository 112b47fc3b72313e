import { customCommand, privilegedWords } from '#codec';

export const commands = { custom: customCommand<undefined>('Text of a command', (data) => `*TS01,${data}#`) };

/** Outputs, restart, server, APN, firmware. */
export const privileged: readonly RegExp[] = [...privilegedWords()];

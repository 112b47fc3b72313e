import { bytesCommand, EVERY_MESSAGE } from '#codec';

export const commands = { custom: bytesCommand<undefined>('A whole message') };

/** What a message does is not known from its bytes. */
export const privileged = EVERY_MESSAGE;

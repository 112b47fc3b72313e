import { bytesCommand, EVERY_MESSAGE } from '#codec';
import type { State } from './decode.ts';

export const commands = { custom: bytesCommand<State>('A whole message') };

/** What a message does is not known from its bytes. */
export const privileged = EVERY_MESSAGE;

import { bytesCommand, type CommandDefinition } from '#codec';
import type { State } from './decode.ts';

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: bytesCommand('A whole message'),
};

/** Messages of types that are not the gateway's own answers may switch outputs. */
export const privileged: readonly RegExp[] = [/^0255(?:2[04]|3[02])/];

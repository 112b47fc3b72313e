import { bytesParameter, type CommandDefinition } from '#codec';
import type { State } from './decode.ts';

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: {
    title: 'A whole message',
    params: { data: { type: 'string', title: 'The message, as pairs of hex digits', required: true } },
    repeatable: true,
    encode: (params) => bytesParameter(params, 'data', 1_000),
  },
};

/** Messages of types that are not the gateway's own answers may switch outputs. */
export const dangerous: readonly RegExp[] = [/^0255(?:2[04]|3[02])/];

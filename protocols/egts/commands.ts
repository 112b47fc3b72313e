import { bytesParameter, type CommandDefinition } from '#codec';
import type { State } from './decode.ts';

/** Whole packets: what they hold is between the operator and the device (service 4, COMMAND_DATA). */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: {
    title: 'A whole packet',
    params: { data: { type: 'string', title: 'The packet, as pairs of hex digits', required: true } },
    repeatable: true,
    encode: (params) => bytesParameter(params, 'data', 2_000),
  },
};

/** Whatever goes to the service of commands (4) or of firmware (9): its effect is not known from the bytes. */
export const privileged: readonly RegExp[] = [/^01(?:..)*?(?:0404|0909)/i];

import { bytesCommand, type CommandDefinition } from '#codec';
import { MAX_FRAME_BYTES } from './frame.ts';
import type { State } from './report.ts';

/** A whole LM Direct message: a unit request (7) or user data (4) behind a message header. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: bytesCommand('A whole message', MAX_FRAME_BYTES),
};

/** Outputs and PEG actions: unit request actions 8 and 9, as bytes or as the text !RP and !R8. */
export const privileged: readonly RegExp[] = [/^(?:83.{2,24})?0[01]07.{4}0[789]/i, /2152(?:38|39|50)/i];

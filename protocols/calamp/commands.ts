import { bytesCommand, type CommandDefinition, privilegedWords } from '#codec';
import { MAX_FRAME_BYTES } from './frame.ts';
import type { State } from './report.ts';

/** A whole LM Direct message: a unit request (7) or user data (4) behind a message header. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: bytesCommand('A whole message', MAX_FRAME_BYTES),
};

/** Unit requests other than for the version (0) and the place (10), application and parameter messages, text commands. */
export const privileged: readonly RegExp[] = [
  /^(?:..)*?0[01]07.{4}(?!0a|00)/i,
  /^(?:..)*?0[01]0[56]/i,
  /!R|AT/,
  ...privilegedWords(),
];

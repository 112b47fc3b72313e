import { CUSTOM_TEXT, NOT_REPEATABLE, wrapWith } from '#codec';
import type { State } from './decode.ts';
import { sentence } from './frame.ts';

const command = wrapWith<State>((text) => sentence(`CMD,${text}`));

// TODO commands: the vendor's list. `ONCE` where doing it twice does harm, `blanks` for what the operator fills in.
export const commands = {
  custom: command('Any text of the device', '{data}', CUSTOM_TEXT),
  engineStop: command('Stop the engine', 'RELAY 1', NOT_REPEATABLE),
};

/** Text that switches something. */
export const privileged: readonly RegExp[] = [/\bRELAY\b/i];

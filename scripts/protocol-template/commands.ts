import { ANY_TEXT, ONCE, sealedBy } from '#codec';
import type { State } from './decode.ts';
import { sentence } from './frame.ts';

const command = sealedBy<State>((text) => sentence(`CMD,${text}`));

// TODO commands: the vendor's list. `ONCE` where doing it twice does harm, `blanks` for what the operator fills in.
export const commands = {
  custom: command('Any text of the device', '{data}', ANY_TEXT),
  engineStop: command('Stop the engine', 'RELAY 1', ONCE),
};

/** Text that switches something. */
export const dangerous: readonly RegExp[] = [/\bRELAY\b/i];

import { customCommand, textCommand } from '#codec';
import type { State } from './decode.ts';
import { sentence } from './frame.ts';

// TODO commands: the vendor's list. `repeatable: false` where doing it twice does harm.
export const commands = {
  custom: customCommand<State>('Any text of the device', (data) => sentence(`CMD,${data}`)),
  engineStop: textCommand<State>('Stop the engine', sentence('CMD,RELAY 1'), { repeatable: false }),
};

/** Text that switches something. */
export const dangerous: readonly RegExp[] = [/\bRELAY\b/i];

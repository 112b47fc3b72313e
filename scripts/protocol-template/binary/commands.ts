import { CUSTOM_TEXT, NOT_REPEATABLE, Writer, wrapWith } from '#codec';
import { seal, TYPE } from './frame.ts';

const command = wrapWith<undefined>((text) => seal(new Writer().u8(TYPE.command).latin1(text)));

// TODO commands: the vendor's list. `NOT_REPEATABLE` where running it twice does harm, `placeholders` for parameters.
export const commands = {
  custom: command('Any text of the device', '{data}', CUSTOM_TEXT),
  engineStop: command('Stop the engine', 'RELAY 1', NOT_REPEATABLE),
};

/** Text that switches something. */
export const privileged = [/\bRELAY\b/i];

import { customCommand } from '#codec';

// TODO commands: the text is the body of the next response.
export const commands = { custom: customCommand<undefined>('Any text of the device') };

import { customCommand, NOT_REPEATABLE, textCommand } from '#codec';

// TODO commands: the vendor's list. `NOT_REPEATABLE` where running it twice does harm, `placeholders` for parameters.
export const commands = {
  custom: customCommand<undefined>('Any text of the device'),
  engineStop: textCommand<undefined>('Stop the engine', 'RELAY 1', NOT_REPEATABLE),
};

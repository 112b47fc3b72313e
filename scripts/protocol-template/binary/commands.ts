import { customCommand, NOT_REPEATABLE, textCommand } from '#codec';
import type { PacketState } from '#codec/binary';

// TODO commands: the vendor's list. `NOT_REPEATABLE` where running it twice does harm, `placeholders` for parameters.
export const commands = {
  custom: customCommand<PacketState>('Any text of the device'),
  engineStop: textCommand<PacketState>('Stop the engine', 'RELAY 1', NOT_REPEATABLE),
};

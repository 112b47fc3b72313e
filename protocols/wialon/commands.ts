import {
  type CommandDefinition,
  customCommand,
  ENDS_SESSION,
  integerPlaceholder,
  NOT_REPEATABLE,
  optionalPlaceholder,
  privilegedWords,
  textCommand,
  textPlaceholder,
} from '#codec';
import type { State } from './files.ts';

/** Source: Wialon IPS, commands that its devices take as text. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  rebootDevice: textCommand('Restart the device', 'reboot\r\n', ENDS_SESSION),
  deviceIdentification: textCommand('Ask for the version', 'VER?\r\n'),
  sendUssd: textCommand('Send a USSD request', 'USSD:{phone}\r\n', {
    placeholders: { phone: optionalPlaceholder(textPlaceholder('Number, such as *100#', 32), '') },
  }),
  outputControl: textCommand('Switch an output', 'L{index}={data}\r\n', {
    ...NOT_REPEATABLE,
    placeholders: { index: integerPlaceholder('Output', 1, 99), data: textPlaceholder('1: on, 0: off', 16) },
  }),
  // Table of packet types: QI and QT are sent by the server. `#type#message`, and no message is documented for them.
  requestPhoto: textCommand('Ask for a photo', '#QI#\r\n'),
  requestTachographFile: textCommand('Ask for a tachograph file', '#QT#{driver}\r\n', {
    placeholders: {
      driver: optionalPlaceholder(textPlaceholder('Id of the driver, for devices that take one', 32), ''),
    },
  }),
  custom: customCommand('Text, with its line end'),
};

export const privileged: readonly RegExp[] = [...privilegedWords(), /(?:^|[^a-z0-9])L\d{1,2}=/i];

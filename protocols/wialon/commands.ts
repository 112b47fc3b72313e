import {
  type CommandDefinition,
  customCommand,
  integerBlank,
  ONCE,
  optionalBlank,
  textBlank,
  textCommand,
} from '#codec';

/** Source: Wialon IPS, commands that its devices take as text. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  rebootDevice: textCommand('Restart the device', 'reboot\r\n'),
  deviceIdentification: textCommand('Ask for the version', 'VER?\r\n'),
  sendUssd: textCommand('Send a USSD request', 'USSD:{phone}\r\n', {
    blanks: { phone: optionalBlank(textBlank('Number, such as *100#', 32), '') },
  }),
  outputControl: textCommand('Switch an output', 'L{index}={data}\r\n', {
    ...ONCE,
    blanks: { index: integerBlank('Output', 1, 99), data: textBlank('1: on, 0: off', 16) },
  }),
  custom: customCommand('Text, with its line end'),
};

export const dangerous: readonly RegExp[] = [/^\s{0,4}L\d{1,2}=/i];

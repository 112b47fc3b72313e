import { type CommandDefinition, customCommand, integerParameter, textCommand, textParameter } from '#codec';

/** Source: Wialon IPS, commands that its devices take as text. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  rebootDevice: textCommand('Restart the device', 'reboot\r\n'),
  deviceIdentification: textCommand('Ask for the version', 'VER?\r\n'),
  sendUssd: textCommand(
    'Send a USSD request',
    (_context, params) =>
      `USSD:${params['phone'] === undefined || params['phone'] === '' ? '' : textParameter(params, 'phone', 32)}\r\n`,
    { params: { phone: { type: 'string', title: 'Number, such as *100#' } } },
  ),
  outputControl: textCommand(
    'Switch an output',
    (_context, params) => `L${integerParameter(params, 'index', 1, 99)}=${textParameter(params, 'data', 16)}\r\n`,
    {
      repeatable: false,
      params: {
        index: { type: 'number', title: 'Output', required: true },
        data: { type: 'string', title: '1: on, 0: off', required: true },
      },
    },
  ),
  custom: customCommand('Text, with its line end'),
};

export const dangerous: readonly RegExp[] = [/^\s{0,4}L\d{1,2}=/i];

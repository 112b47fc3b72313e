import { type CommandDefinition, type CommandParameters, integerParameter, textParameter, withSum } from '#codec';

const command = (
  title: string,
  payload: string | ((params: CommandParameters) => string),
  repeatable = true,
  params: CommandDefinition<undefined>['params'] = {},
): CommandDefinition<undefined> => ({
  title,
  params,
  repeatable,
  encode: (given, { deviceId }) => {
    const text = typeof payload === 'string' ? payload : payload(given);
    return withSum(`$$:${deviceId.length + text.length + 2},${deviceId},${text}`);
  },
});

/** Source: protocol document, commands of the server; 900 switches outputs. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: command('Cut fuel or power (output 1 on)', '900,1,1', false),
  engineResume: command('Restore fuel or power (output 1 off)', '900,1,0', false),
  outputControl: command(
    'Switch an output',
    (params) => `900,${integerParameter(params, 'index', 1, 9)},${textParameter(params, 'data', 16)}`,
    false,
    {
      index: { type: 'number', title: 'Output', required: true },
      data: { type: 'string', title: '1: on, 0: off', required: true },
    },
  ),
  custom: command('Text behind the id', (params) => textParameter(params, 'data', 1_000), true, {
    data: { type: 'string', title: 'Text', required: true },
  }),
};

export const dangerous: readonly RegExp[] = [/^\s{0,4}900,/, /^\$\$:\d{1,4},\d{0,20},900,/];

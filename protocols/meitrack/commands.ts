import {
  type CommandDefinition,
  type CommandParameters,
  type EncodeContext,
  integerParameter,
  textParameter,
} from '#codec';
import { say } from './decode.ts';
import type { MeitrackState } from './frame.ts';

type Context = EncodeContext<MeitrackState>;
type Content = string | ((params: CommandParameters, context: Context) => string);

const LONGEST_TEXT = 1_000;

const command = (
  title: string,
  content: Content,
  repeatable = true,
  params: CommandDefinition<MeitrackState>['params'] = {},
): CommandDefinition<MeitrackState> => ({
  title,
  params,
  repeatable,
  encode: (given, context) =>
    say('A', context.deviceId, typeof content === 'string' ? content : content(given, context)),
});

const byOption =
  (usual: string, alternative: string): Content =>
  (_, { options }) =>
    options['alternative'] === true ? alternative : usual;

/** Source: GPRS protocol document, commands A10, B21, C01 (digits: outputs 1 to 5; 0 off, 1 on, 2 as it is), C02, D03. */
export const commands: Readonly<Record<string, CommandDefinition<MeitrackState>>> = {
  positionSingle: command('Ask for the position', 'A10'),
  engineStop: command('Cut fuel or power (output 1 on)', 'C01,0,12222', false),
  engineResume: command('Restore fuel or power (output 1 off)', 'C01,0,02222', false),
  alarmArm: command('Arm', byOption('C01,0,22122', 'B21,1')),
  alarmDisarm: command('Disarm', byOption('C01,0,22022', 'B21,0')),
  requestPhoto: command(
    'Take a photo',
    (params) => {
      const camera = params['index'] === undefined ? 1 : integerParameter(params, 'index', 0, 9) || 1;
      return `D03,${camera},camera_picture.jpg`;
    },
    true,
    { index: { type: 'number', title: 'Camera' } },
  ),
  sendSms: command(
    'Send a text message',
    (params) => `C02,0,${textParameter(params, 'phone', 32)},${textParameter(params, 'message', 280)}`,
    false,
    {
      phone: { type: 'string', title: 'Number', required: true },
      message: { type: 'string', title: 'Text', required: true },
    },
  ),
  custom: command('Text behind the identity', (params) => textParameter(params, 'data', LONGEST_TEXT), true, {
    data: { type: 'string', title: 'Text', required: true },
  }),
};

/** C01 switches outputs. */
export const dangerous: readonly RegExp[] = [/^\s{0,4}C01,/i, /^@@[^,]{0,8},\d{0,20},C01,/i];

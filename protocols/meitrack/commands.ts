import {
  type CommandDefinition,
  CUSTOM_TEXT,
  type EncodeContext,
  integerParameter,
  NOT_REPEATABLE,
  privilegedWords,
  textPlaceholder,
  wrapWith,
} from '#codec';
import { say } from './decode.ts';
import type { MeitrackState } from './frame.ts';

const command = wrapWith<MeitrackState>((content, { deviceId }) => say('A', deviceId, content));

const byOption =
  (usual: string, alternative: string) =>
  ({ options }: EncodeContext<MeitrackState>): string =>
    options['alternative'] === true ? alternative : usual;

/** Source: GPRS protocol document, commands A10, B21, C01 (digits: outputs 1 to 5; 0 off, 1 on, 2 as it is), C02, D03. */
export const commands: Readonly<Record<string, CommandDefinition<MeitrackState>>> = {
  positionSingle: command('Ask for the position', 'A10'),
  engineStop: command('Cut fuel or power (output 1 on)', 'C01,0,12222', NOT_REPEATABLE),
  engineResume: command('Restore fuel or power (output 1 off)', 'C01,0,02222', NOT_REPEATABLE),
  alarmArm: command('Arm', byOption('C01,0,22122', 'B21,1')),
  alarmDisarm: command('Disarm', byOption('C01,0,22022', 'B21,0')),
  requestPhoto: command(
    'Take a photo',
    (_, params) => {
      const camera = params['index'] === undefined ? 1 : integerParameter(params, 'index', 0, 9) || 1;
      return `D03,${camera},camera_picture.jpg`;
    },
    { params: { index: { type: 'number', title: 'Camera' } } },
  ),
  sendSms: command('Send a text message', 'C02,0,{phone},{message}', {
    ...NOT_REPEATABLE,
    placeholders: { phone: textPlaceholder('Number', 32), message: textPlaceholder('Text', 280) },
  }),
  custom: command('Text behind the identity', '{data}', CUSTOM_TEXT),
};

/** C01 switches outputs, C02 sends a text message, A21 to A24 set server and APN, F01, F02 and F11 restart and reset, FC… update. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /(?:^|,)\s{0,4}(?:A2[1-4]|A72|AFF|D02|C0[12]|F\d\d|FC\d)(?![0-9a-z])/i,
];

/** F01 and F02 restart, F11 restores factory settings, FC… update. */
export const sessionEnding: readonly RegExp[] = [/(?:^|,)\s{0,4}(?:F0[12]|F11|FC\d)(?![0-9a-z])/i];

import {
  CodecError,
  type CommandDefinition,
  type CommandParameters,
  digitsOfUtc,
  type EncodeContext,
  fromLatin1,
} from '#codec';
import type { H02State } from './frame.ts';

type Context = EncodeContext<H02State>;

/** `*HQ,<id>,<command>,<hhmmss of sending, UTC>,<arguments>#` */
const command = (context: Context, name: string, args: string): Uint8Array =>
  fromLatin1(`*HQ,${context.deviceId},${name},${digitsOfUtc(context.now).slice(8)},${args}#`);

const plain = (
  title: string,
  repeatable: boolean,
  name: string,
  args: string | ((context: Context) => string),
): CommandDefinition<H02State> => ({
  title,
  params: {},
  repeatable,
  encode: (_, context) => command(context, name, typeof args === 'string' ? args : args(context)),
});

const isStepped = (context: Context): boolean => context.options['steppedEngineCut'] === true;

function seconds(params: CommandParameters): number {
  const value = Number(params['frequency']);
  if (!Number.isInteger(value) || value < 0 || value > 86_400)
    throw new CodecError('bad-parameter', 'frequency is 0 to 86400 seconds');
  return value;
}

/** Source: H02 protocol document, commands S20, SCF, S71, D1. */
export const commands: Readonly<Record<string, CommandDefinition<H02State>>> = {
  engineStop: plain('Cut fuel or power', false, 'S20', (context) =>
    isStepped(context) ? '1,3,10,3,5,5,3,5,3,5,3,5' : '1,1',
  ),
  engineResume: plain('Restore fuel or power', false, 'S20', (context) => (isStepped(context) ? '0,0' : '1,0')),
  alarmArm: plain('Arm', true, 'SCF', '0,0'),
  alarmDisarm: plain('Disarm', true, 'SCF', '1,1'),
  positionPeriodic: {
    title: 'Report at intervals',
    params: { frequency: { type: 'number', title: 'Seconds', required: true } },
    repeatable: true,
    encode: (params, context) =>
      context.options['alternative'] === true
        ? command(context, 'D1', `${seconds(params)}`)
        : command(context, 'S71', `22,${seconds(params)}`),
  },
  custom: {
    title: 'Text as it is; \\r and \\n stand for the line end',
    params: { data: { type: 'string', title: 'Text', required: true } },
    repeatable: true,
    encode: (params) => {
      const { data } = params;
      if (typeof data !== 'string' || data === '') throw new CodecError('bad-parameter', 'data is the text to send');
      return fromLatin1(data.replaceAll('\\r', '\r').replaceAll('\\n', '\n'));
    },
  },
};

/** S20 cuts fuel or power. */
export const dangerous: readonly RegExp[] = [/,\s{0,4}S20\s{0,4},/i];

import { type CommandDefinition, type CommandParameters, type DeviceOptions, textParameter } from '#codec';
import { withXor } from './decode.ts';

const LONGEST = 900;
/** dollars, length, CF, checksum */
const AROUND = 10;

const passwordOf = (options: DeviceOptions): string => String(options['password'] ?? '') || '000000';

const command = (
  title: string,
  content: string | ((params: CommandParameters) => string),
  repeatable = true,
  params: CommandDefinition<undefined>['params'] = {},
): CommandDefinition<undefined> => ({
  title,
  params,
  repeatable,
  encode: (given, { options }) => {
    const text = `${passwordOf(options)},${typeof content === 'string' ? content : content(given)}`;
    return withXor(`$$${String(AROUND + text.length).padStart(4, '0')}CF${text}`);
  },
});

/** Source: protocol document, commands by GPRS; 025 switches outputs. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: command('Text behind the password', (params) => textParameter(params, 'data', LONGEST), true, {
    data: { type: 'string', title: 'Text', required: true },
  }),
  rebootDevice: command('Restart the device', '006'),
  factoryReset: command('Settings of the factory', '007', false),
  getVersion: command('Ask for the version', '056'),
  positionSingle: command('Ask for the position', '012'),
  engineStop: command('Cut fuel or power', '025,C,1', false),
  engineResume: command('Restore fuel or power', '025,C,0'),
};

export const dangerous: readonly RegExp[] = [/(?:^|,)\s{0,4}025,/, /(?:^|,)\s{0,4}007\b/];

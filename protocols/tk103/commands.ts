import {
  CodecError,
  type CommandDefinition,
  type CommandParameters,
  customCommand,
  type EncodeContext,
  integerParameter,
  textCommand,
  textParameter,
} from '#codec';

type Context = EncodeContext<undefined>;
type Text = (params: CommandParameters) => string;
type Settings = NonNullable<Parameters<typeof textCommand<undefined>>[2]>;

/** What follows the id between brackets, and what stands in the other form of the commands. */
interface Forms {
  readonly usual?: Text;
  readonly alternative?: Text;
}

/** A command of both forms. Throws CodecError `unsupported-command` where the device's form has it not. */
function command(title: string, { usual, alternative }: Forms, settings: Settings = {}): CommandDefinition<undefined> {
  return textCommand<undefined>(
    title,
    ({ deviceId, options }: Context, params) => {
      const isAlternative = options['alternative'] === true;
      const form = isAlternative ? alternative : usual;
      if (form === undefined) throw new CodecError('unsupported-command', 'not in this form of the commands');
      return isAlternative ? `[begin]sms2,${form(params)},[end]` : `(${deviceId}${form(params)})`;
    },
    settings,
  );
}

const say =
  (text: string): Text =>
  () =>
    text;

const enable = { enable: { type: 'boolean', title: 'On or off', required: true } } as const;

/** One text for on, another for off. */
const either =
  (on: string, off: string): Text =>
  (params) => {
    if (typeof params['enable'] !== 'boolean') throw new CodecError('bad-parameter', 'enable is true or false');
    return params['enable'] ? on : off;
  };

const LONGEST_INTERVAL = 0xffff;
const text = (title: string) => ({ type: 'string', title, required: true }) as const;

/** Source: protocol document, commands of the server, and the texts of the other form. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('Text behind the id', (data, { deviceId, options }) =>
    options['alternative'] === true ? `[begin]sms2,${data},[end]` : `(${deviceId}${data})`,
  ),
  getVersion: command('Ask for the version', { usual: say('AP07'), alternative: say('*about*') }),
  rebootDevice: command('Restart the device', { usual: say('AT00'), alternative: say('88888888') }),
  setOdometer: command(
    'Set the distance to 0',
    { usual: say('AX01') },
    { params: { data: { type: 'string', title: 'Not sent: devices set it to 0' } } },
  ),
  positionSingle: command('Ask for the position', { usual: say('AP00'), alternative: say('*getposl*') }),
  positionPeriodic: command(
    'Report at an interval',
    {
      usual: (params) => {
        const seconds = integerParameter(params, 'frequency', 1, LONGEST_INTERVAL);
        return `AR00${seconds.toString(16).toUpperCase().padStart(4, '0')}0000`;
      },
      alternative: say('*routetrack*99*'),
    },
    { params: { frequency: { type: 'number', title: 'Seconds; the other form has its own', required: true } } },
  ),
  positionStop: command('Report no more', { usual: say('AR0000000000'), alternative: say('*routetrackoff*') }),
  engineStop: command('Cut fuel or power', { usual: say('AV010') }, { repeatable: false }),
  engineResume: command('Restore fuel or power', { usual: say('AV011') }),
  outputControl: command(
    'Switch the output',
    { usual: (params) => `AV00${textParameter(params, 'data', 8)}` },
    {
      repeatable: false,
      params: { data: text('1: on, 0: off'), index: { type: 'number', title: 'Output; devices have one' } },
    },
  ),
  powerOff: command('Turn the device off', { alternative: say('*turnoff*') }, { repeatable: false }),
  getDeviceStatus: command('Ask for the state', { alternative: say('*status*') }),
  deviceIdentification: command('Ask what the device is', { alternative: say('999999') }),
  modeDeepSleep: command('Sleep deeply', { alternative: either('*sleep*2*', '*sleepoff*') }, { params: enable }),
  modePowerSaving: command('Save power', { alternative: either('*sleepv*', '*sleepoff*') }, { params: enable }),
  alarmSos: command('Alarm of the SOS button', { alternative: either('*soson*', '*sosoff*') }, { params: enable }),
  setConnection: command(
    'Set the server',
    {
      alternative: (params) =>
        `*setip*${textParameter(params, 'server', 64).replaceAll('.', '*')}*${integerParameter(params, 'port', 1, 65_535)}*`,
    },
    { params: { server: text('Address'), port: { type: 'number', title: 'Port', required: true } } },
  ),
  sosNumber: command(
    'Set the number that is called',
    {
      alternative: (params) => {
        const password =
          params['devicePassword'] === undefined ? '123456' : textParameter(params, 'devicePassword', 16);
        return `*master*${password}*${textParameter(params, 'phone', 32)}*`;
      },
    },
    { params: { phone: text('Number'), devicePassword: { type: 'string', title: 'Password of the device' } } },
  ),
};

export const dangerous: readonly RegExp[] = [/AV0(?:10|0)/, /^\s{0,4}AV0/, /\*turnoff\*/i];

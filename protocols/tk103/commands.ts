import {
  CodecError,
  type CommandDefinition,
  CUSTOM_TEXT,
  ENDS_SESSION,
  integerParameter,
  integerPlaceholder,
  NOT_REPEATABLE,
  optionalPlaceholder,
  type Placeholder,
  privilegedWords,
  switchPlaceholder,
  type TextSettings,
  textPlaceholder,
  wrapWith,
} from '#codec';

const sealed = wrapWith<undefined>((text, { deviceId, options }) =>
  options['alternative'] === true ? `[begin]sms2,${text},[end]` : `(${deviceId}${text})`,
);

/** What follows the id between brackets, and what stands in the other form of the commands. */
interface Forms {
  readonly usual?: string;
  readonly alternative?: string;
}

/** A command of both forms. Throws CodecError `unsupported-command` if the device's form has it not. */
const command = (title: string, { usual, alternative }: Forms, settings?: TextSettings): CommandDefinition<undefined> =>
  sealed(
    title,
    ({ options }) => {
      const form = options['alternative'] === true ? alternative : usual;
      if (form === undefined) throw new CodecError('unsupported-command', 'not in this form of the commands');
      return form;
    },
    settings,
  );

const either = (on: string, off: string): TextSettings => ({
  placeholders: { enable: switchPlaceholder('On or off', on, off) },
});

/** Four digits at the least. */
const hexBlank = (title: string, max: number): Placeholder => ({
  parameter: { type: 'number', title, required: true },
  write: (params, name) => integerParameter(params, name, 1, max).toString(16).toUpperCase().padStart(4, '0'),
});

/** An address has stars for its points. */
const starred = ({ parameter, write }: Placeholder): Placeholder => ({
  parameter,
  write: (params, name) => write(params, name).replaceAll('.', '*'),
});

const MAX_INTERVAL_S = 0xffff;

/** Source: protocol document, commands of the server, and the texts of the other form. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: sealed('Text behind the id', '{data}', CUSTOM_TEXT),
  getVersion: command('Ask for the version', { usual: 'AP07', alternative: '*about*' }),
  rebootDevice: command('Restart the device', { usual: 'AT00', alternative: '88888888' }, ENDS_SESSION),
  setOdometer: command(
    'Set the distance to 0',
    { usual: 'AX01' },
    { params: { data: { type: 'string', title: 'Not sent: devices set it to 0' } } },
  ),
  positionSingle: command('Ask for the position', { usual: 'AP00', alternative: '*getposl*' }),
  positionPeriodic: command(
    'Report at an interval',
    { usual: 'AR00{frequency}0000', alternative: '*routetrack*99*' },
    { placeholders: { frequency: hexBlank('Seconds; the other form has its own', MAX_INTERVAL_S) } },
  ),
  positionStop: command('Report no more', { usual: 'AR0000000000', alternative: '*routetrackoff*' }),
  engineStop: command('Cut fuel or power', { usual: 'AV010' }, NOT_REPEATABLE),
  engineResume: command('Restore fuel or power', { usual: 'AV011' }),
  outputControl: command(
    'Switch the output',
    { usual: 'AV00{data}' },
    {
      ...NOT_REPEATABLE,
      params: { index: { type: 'number', title: 'Output; devices have one' } },
      placeholders: { data: textPlaceholder('1: on, 0: off', 8) },
    },
  ),
  powerOff: command('Turn the device off', { alternative: '*turnoff*' }, NOT_REPEATABLE),
  getDeviceStatus: command('Ask for the state', { alternative: '*status*' }),
  deviceIdentification: command('Ask what the device is', { alternative: '999999' }),
  modeDeepSleep: command('Sleep deeply', { alternative: '{enable}' }, either('*sleep*2*', '*sleepoff*')),
  modePowerSaving: command('Save power', { alternative: '{enable}' }, either('*sleepv*', '*sleepoff*')),
  alarmSos: command('Alarm of the SOS button', { alternative: '{enable}' }, either('*soson*', '*sosoff*')),
  setConnection: command(
    'Set the server',
    { alternative: '*setip*{server}*{port}*' },
    { placeholders: { server: starred(textPlaceholder('Address', 64)), port: integerPlaceholder('Port', 1, 65_535) } },
  ),
  sosNumber: command(
    'Set the number that is called',
    { alternative: '*master*{devicePassword}*{phone}*' },
    {
      placeholders: {
        phone: textPlaceholder('Number', 32),
        devicePassword: optionalPlaceholder(textPlaceholder('Password of the device', 16), '123456'),
      },
    },
  ),
};

/** AV0 switches the output, AT00 and 88888888 restart. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /AV0/,
  /AT00/,
  /88888888/,
  /\*(?:turnoff|setip|apn)/i,
];

/** AT00 and 88888888 restart. */
export const sessionEnding: readonly RegExp[] = [/AT00/, /88888888/];

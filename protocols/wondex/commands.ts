import {
  type CommandDefinition,
  CUSTOM_TEXT,
  ENDS_SESSION,
  type EncodeContext,
  privilegedWords,
  textCommand,
} from '#codec';

export const DEFAULT_PASSWORD = '0000';

const command = (word: string, title: string, settings = {}): CommandDefinition<undefined> =>
  textCommand<undefined>(title, (context) => `$WP+${word}=${passwordOf(context)}`, settings);

function passwordOf({ options }: EncodeContext<undefined>): string {
  const { password } = options;
  return typeof password === 'string' && password !== '' ? password : DEFAULT_PASSWORD;
}

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  rebootDevice: command('REBOOT', 'Restart', ENDS_SESSION),
  getDeviceStatus: command('TEST', 'Ask for the result of the self-test'),
  getModemStatus: command('GSMINFO', 'Ask for the state of the modem'),
  deviceIdentification: command('IMEI', 'Ask for the IMEI'),
  positionSingle: command('GETLOCATION', 'Ask for a position'),
  getVersion: command('VER', 'Ask for the firmware'),
  custom: textCommand<undefined>('Text as it is', '{data}', CUSTOM_TEXT),
};

/** Server and APN, id and password of the unit, outputs, settings of the factory. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /WP\+(?:COMMTYPE|UNCFG|OUTC|SETDEFAULT|IMMOB|SETIP|GPRS|CLREC|VMLN)/i,
];
export const sessionEnding: readonly RegExp[] = [/WP\+REBOOT/i];

import {
  CodecError,
  type CommandDefinition,
  CUSTOM_TEXT,
  integerPlaceholder,
  optionalPlaceholder,
  type Placeholder,
  privilegedWords,
  switchPlaceholder,
  type TextSettings,
  textCommand,
  textParameter,
  textPlaceholder,
  utcToZone,
  wrapWith,
} from '#codec';

export const DEFAULT_PASSWORD = '123456';
const HOUR_MS = 3_600_000;

const command = wrapWith<undefined>((text, { options: { password } }) => {
  const secret = typeof password === 'string' && password !== '' ? password : DEFAULT_PASSWORD;
  return secret + text;
});

const ENABLE: TextSettings = { placeholders: { enable: switchPlaceholder('On', '1', '0') } };
const text = (title: string): TextSettings => ({ placeholders: { data: textPlaceholder(title, 40) } });

/** Hours of a zone from UTC without daylight saving time: the lesser of those in January and July. */
const ZONE: Placeholder = {
  parameter: { type: 'string', title: 'Time zone', required: true },
  write: (params, name) => {
    const zone = textParameter(params, name, 40);
    const offsets = [0, 6].map((month) => utcToZone(Date.UTC(2024, month, 1), zone) - Date.UTC(2024, month, 1));
    const hours = Math.trunc(Math.min(...offsets) / HOUR_MS);
    return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}`;
  },
};

const NUMBER: Placeholder = {
  parameter: { type: 'number', title: 'Number from 0 to 2', required: true },
  write: ({ index }) => {
    const letter = 'ABC'[Number(index)];
    if (letter === undefined) throw new CodecError('bad-parameter', 'index is 0, 1 or 2');
    return letter;
  },
};

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  setTimezone: command('Set the time zone', 'L{timezone}', { placeholders: { timezone: ZONE } }),
  voiceMonitoring: command('Listen in', 'P{enable}', ENABLE),
  alarmSpeed: command('Set the alarm of the speed', 'J1{data}', text('km/h')),
  alarmGeofence: command('Set the alarm of movement', 'R1{radius}', {
    placeholders: { radius: integerPlaceholder('m', 0, 100_000) },
  }),
  alarmVibration: command('Set the alarm of vibration', 'W1,{data}', {
    placeholders: { data: optionalPlaceholder(textPlaceholder('Level', 10), '') },
  }),
  setAgps: command('Switch assisted GPS', 'AGPS{enable}', ENABLE),
  alarmFall: command('Switch the alarm of falls', 'F{enable}', ENABLE),
  modePowerSaving: command('Switch saving of power', 'SP{enable}', ENABLE),
  modeDeepSleep: command('Switch deep sleep', 'DS{enable}', ENABLE),
  sosNumber: command('Set a telephone number', '{index}1,{phone}', {
    placeholders: { index: NUMBER, phone: textPlaceholder('Telephone number', 20) },
  }),
  setIndicator: command('Set the indicator', 'LED{data}', text('State')),
  custom: textCommand<undefined>('Text as it is', '{data}', CUSTOM_TEXT),
};

/** Server and APN follow the password as IP and S; RST restarts. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /^.{0,10}?(?:IP|S[12],|RST|RE)/i,
  /^\s{0,4}\d{4,6}\s{0,4}[PH]\d/i,
];

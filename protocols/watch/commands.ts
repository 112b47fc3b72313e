import {
  bytesParameter,
  CodecError,
  type CommandDefinition,
  type CommandParameter,
  type CommandParameters,
  CUSTOM_TEXT,
  ENDS_SESSION,
  integerParameter,
  integerPlaceholder,
  NOT_REPEATABLE,
  privilegedWords,
  switchPlaceholder,
  textParameter,
  textPlaceholder,
  toLatin1,
  utcToZone,
  wrapWith,
} from '#codec';
import type { WatchState } from './frame.ts';

const MAX_TEXT_CHARS = 1_000;
const MAX_SOUND_BYTES = 30_000;

const command = wrapWith<WatchState>((text, { state, deviceId }) => {
  const maker = state.maker === '3G' ? 'SG' : state.maker;
  const length = text.length.toString(16).padStart(4, '0');
  return `[${maker}*${deviceId}*${state.indexed ? '0001*' : ''}${length}*${text}]`;
});

const text = (title: string): CommandParameter => ({ type: 'string', title, required: true });

const withData = (title: string, word: string): CommandDefinition<WatchState> =>
  command(title, `${word},{data}`, { placeholders: { data: textPlaceholder('Settings') } });

const onOrOff = (title: string, word: string): CommandDefinition<WatchState> =>
  command(title, `${word},{enable}`, { placeholders: { enable: switchPlaceholder('On or off', '1', '0') } });

const SPECIAL: ReadonlyMap<string, string> = new Map(
  [...'}[],*'].map((sign, at) => [sign, `}${String.fromCharCode(at + 1)}`]),
);

const HOUR = 3_600_000;

/** Hours ahead of UTC while no summer time holds: the lesser of what holds in January and in July. */
function standardHours(zone: string, now: number): string {
  const year = new Date(now).getUTCFullYear();
  const offsets = [0, 6].map((month) => utcToZone(Date.UTC(year, month), zone) - Date.UTC(year, month));
  const hours = Number((Math.min(...offsets) / HOUR).toFixed(2));
  return hours < 0 ? String(hours) : `+${hours}`;
}

function utf16(message: string): string {
  let hex = '';
  for (let at = 0; at < message.length; at++) hex += message.charCodeAt(at).toString(16).padStart(4, '0');
  return hex;
}

function messageOf({ message }: CommandParameters): string {
  if (typeof message !== 'string' || message === '' || message.length > MAX_TEXT_CHARS)
    throw new CodecError('bad-parameter', 'message is the text to show');
  return message;
}

/** Source: protocol document of the watches, instructions of the platform. */
export const commands: Readonly<Record<string, CommandDefinition<WatchState>>> = {
  positionSingle: command('Ask for the position', 'CR'),
  positionPeriodic: command('Report at intervals', 'UPLOAD,{frequency}', {
    placeholders: { frequency: integerPlaceholder('Seconds', 1, 86_400) },
  }),
  sosNumber: command('Number that is called in an emergency', 'SOS{index},{phone}', {
    placeholders: { index: integerPlaceholder('Place, 1 to 3', 1, 3), phone: textPlaceholder('Number', 32) },
  }),
  alarmSos: onOrOff('Text message in an emergency', 'SOSSMS'),
  alarmBattery: onOrOff('Text message when the battery is low', 'LOWBAT'),
  alarmRemove: onOrOff('Alarm when the watch is taken off', 'REMOVE'),
  rebootDevice: command('Restart the watch', 'RESET', ENDS_SESSION),
  powerOff: command('Switch the watch off', 'POWEROFF', NOT_REPEATABLE),
  silenceTime: withData('Times of silence', 'SILENCETIME'),
  alarmClock: withData('Alarm clock', 'REMIND'),
  setPhonebook: withData('Contacts', 'PHB'),
  setIndicator: withData('Rewards', 'FLOWER'),
  message: command('Show a text', (_, params) => `MESSAGE,${utf16(messageOf(params))}`, {
    params: { message: text('Text') },
  }),
  voiceMessage: command(
    'Play a voice message',
    (_, params) => {
      const sound = toLatin1(bytesParameter(params, 'data', MAX_SOUND_BYTES));
      return `TK,${sound.replace(/[}[\],*]/g, (sign) => SPECIAL.get(sign)!)}`;
    },
    { params: { data: text('AMR file, hexadecimal') } },
  ),
  setTimezone: command(
    'Set language and time zone',
    ({ now }, params) =>
      `LZ,${integerParameter(params, 'language', 0, 99)},${standardHours(textParameter(params, 'timezone', 64), now)}`,
    { params: { language: { type: 'number', title: 'Language', required: true }, timezone: text('Zone') } },
  ),
  custom: command('Content of the message', '{data}', CUSTOM_TEXT),
};

export const privileged: readonly RegExp[] = [...privilegedWords('\\*'), /rcapture|(?:^|\*)PW,/i];

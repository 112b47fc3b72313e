import {
  type CommandDefinition,
  ENDS_SESSION,
  NOT_REPEATABLE,
  privilegedWords,
  textPlaceholder,
  wrapWith,
} from '#codec';
import { withXor } from './decode.ts';

const MAX_TEXT_CHARS = 900;
/** dollars, length, CF, checksum */
const AROUND = 10;
const USUAL_PASSWORD = '000000';

const command = wrapWith<undefined>((content, { options }) => {
  const text = `${String(options['password'] ?? '') || USUAL_PASSWORD},${content}`;
  return withXor(`$$${String(AROUND + text.length).padStart(4, '0')}CF${text}`);
});

/** Source: protocol document, commands by GPRS; 025 switches outputs. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: command('Text behind the password', '{data}', {
    placeholders: { data: textPlaceholder('Text', MAX_TEXT_CHARS) },
  }),
  rebootDevice: command('Restart the device', '006', ENDS_SESSION),
  factoryReset: command('Settings of the factory', '007', ENDS_SESSION),
  getVersion: command('Ask for the version', '056'),
  positionSingle: command('Ask for the position', '012'),
  engineStop: command('Cut fuel or power', '025,C,1', NOT_REPEATABLE),
  engineResume: command('Restore fuel or power', '025,C,0'),
};

/** 025 switches outputs, 001 to 005 set server and APN, 006 restarts, 007 restores factory settings. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /(?:^|,)\s{0,4}(?:00[1-7]|025)/];

/** 006 restarts, 007 restores factory settings. */
export const sessionEnding: readonly RegExp[] = [/(?:^|,)\s{0,4}00[67](?!\d)/];

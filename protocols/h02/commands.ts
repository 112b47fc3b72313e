import {
  type CommandDefinition,
  customCommand,
  type EncodeContext,
  integerPlaceholder,
  NOT_REPEATABLE,
  privilegedWords,
  toLatin1,
  unescapeLineEnds,
  wrapWith,
} from '#codec';
import { utcToDigits } from '#codec/text';
import type { H02State } from './frame.ts';

/** `*HQ,<id>,<command>,<hhmmss of sending, UTC>,<arguments>#` */
const command = wrapWith<H02State>((text, { deviceId, now }) => {
  const comma = text.indexOf(',');
  return `*HQ,${deviceId},${text.slice(0, comma)},${utcToDigits(now).slice(8)}${text.slice(comma)}#`;
});

/** One wording where an option is set, another where it is not. */
const byOption =
  (option: string, set: string, usual: string) =>
  ({ options }: EncodeContext<H02State>): string =>
    options[option] === true ? set : usual;

/** Source: H02 protocol document, commands S20, SCF, S71, D1. */
export const commands: Readonly<Record<string, CommandDefinition<H02State>>> = {
  engineStop: command(
    'Cut fuel or power',
    byOption('steppedEngineCut', 'S20,1,3,10,3,5,5,3,5,3,5,3,5', 'S20,1,1'),
    NOT_REPEATABLE,
  ),
  engineResume: command('Restore fuel or power', byOption('steppedEngineCut', 'S20,0,0', 'S20,1,0'), NOT_REPEATABLE),
  alarmArm: command('Arm', 'SCF,0,0'),
  alarmDisarm: command('Disarm', 'SCF,1,1'),
  positionPeriodic: command('Report at intervals', byOption('alternative', 'D1,{frequency}', 'S71,22,{frequency}'), {
    placeholders: { frequency: integerPlaceholder('Seconds', 0, 86_400) },
  }),
  custom: customCommand('Text as it is; \\r and \\n stand for the line end', unescapeLineEnds),
};

const NAME = /^\*..,\d{0,20},([A-Za-z]\w{0,7}),/;

/** The answer (V4) repeats the name of the command: `V4,S20,DONE,…`. */
export const commandName = (bytes: Uint8Array): string | undefined => NAME.exec(toLatin1(bytes))?.[1]?.toUpperCase();

/** S20 cuts fuel or power, S23 and S24 set server and APN, S25 restores factory settings, R1 restarts, R8 listens in. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /,\s{0,4}(?:S2[0-5]|R1|R7|R8)\s{0,4}(?:,|#|$)/i,
  /^\s{0,4}(?:804|803|710|777)/,
];

/** S25 restores factory settings, R1 restarts. */
export const sessionEnding: readonly RegExp[] = [/,\s{0,4}(?:S25|R1)\s{0,4}(?:,|#|$)/i];

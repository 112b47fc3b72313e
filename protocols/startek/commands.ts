import {
  type CommandDefinition,
  CUSTOM_TEXT,
  integerPlaceholder,
  NOT_REPEATABLE,
  privilegedWords,
  textPlaceholder,
  wrapWith,
} from '#codec';
import { withSum } from '#codec/framing';

const command = wrapWith<undefined>((text, { deviceId }) =>
  withSum(`$$:${deviceId.length + text.length + 2},${deviceId},${text}`),
);

/** Source: protocol document, commands of the server; 900 switches outputs. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: command('Cut fuel or power (output 1 on)', '900,1,1', NOT_REPEATABLE),
  engineResume: command('Restore fuel or power (output 1 off)', '900,1,0', NOT_REPEATABLE),
  outputControl: command('Switch an output', '900,{index},{data}', {
    ...NOT_REPEATABLE,
    placeholders: { index: integerPlaceholder('Output', 1, 9), data: textPlaceholder('1: on, 0: off', 16) },
  }),
  custom: command('Text behind the id', '{data}', CUSTOM_TEXT),
};

/** 900 switches outputs, other codes from 900 on restart and reset, 100 and 101 set server and APN. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /(?:^|,)\s{0,4}9\d\d(?!\d)/,
  /(?:^|,)\s{0,4}10[01],/,
];
